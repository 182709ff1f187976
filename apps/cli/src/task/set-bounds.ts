import {
  ContractSchema,
  FileManifestSchema,
  LabelSchema,
  RefSchema,
  RefType,
  SafetyContextSchema,
  type SubmitTaskRequest,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import type { TaskOptions } from "./task-options.ts";

/** Sets references, labels, what agents may do, and the expected files. */
export function setBounds(request: SubmitTaskRequest, options: TaskOptions): void {
  const { ref, refCommit, label } = options;
  if (ref !== undefined || refCommit !== undefined) {
    const others = (ref ?? []).map((uriOrLocator) => create(RefSchema, { uriOrLocator }));
    const commits = (refCommit ?? []).map((uriOrLocator) =>
      create(RefSchema, { uriOrLocator, refType: RefType.COMMIT }),
    );
    request.refs = [...others, ...commits];
  }
  if (label !== undefined)
    request.labels = Object.entries(label).map(([name, value]) => create(LabelSchema, { name, value }));
  setSafety(request, options);
  expectFiles(request, options);
}

function setSafety(request: SubmitTaskRequest, options: TaskOptions): void {
  const { allowTool, denyTool, prohibit, maxAutonomousSteps } = options;
  if ([allowTool, denyTool, prohibit, maxAutonomousSteps].every((given) => given === undefined)) return;
  request.safety ??= create(SafetyContextSchema);
  const { safety } = request;
  safety.toolAllowlist = [...(allowTool ?? safety.toolAllowlist)];
  safety.toolDenylist = [...(denyTool ?? safety.toolDenylist)];
  safety.prohibitedActions = [...(prohibit ?? safety.prohibitedActions)];
  safety.maxAutonomousSteps = maxAutonomousSteps ?? safety.maxAutonomousSteps;
}

function expectFiles(request: SubmitTaskRequest, options: TaskOptions): void {
  const { expectCreate, expectModify, expectDelete } = options;
  if ([expectCreate, expectModify, expectDelete].every((given) => given === undefined)) return;
  request.contract ??= create(ContractSchema);
  request.contract.expectedFiles ??= create(FileManifestSchema);
  const files = request.contract.expectedFiles;
  files.create = [...(expectCreate ?? files.create)];
  files.modify = [...(expectModify ?? files.modify)];
  files.delete = [...(expectDelete ?? files.delete)];
}
