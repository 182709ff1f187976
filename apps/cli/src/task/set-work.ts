import { resolve } from "node:path";
import {
  ContextInSchema,
  ContractSchema,
  EnvironmentSchema,
  type SubmitTaskRequest,
  type Workspace,
  WorkspaceSchema,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { CliError } from "../errors/cli-error.ts";
import type { TaskOptions } from "./task-options.ts";

/** Sets the contract, the inputs and the workspace. */
export function setWork(request: SubmitTaskRequest, options: TaskOptions): void {
  request.contract ??= create(ContractSchema);
  const { contract } = request;
  contract.title = options.title ?? contract.title;
  contract.acceptanceCriteria = [...(options.accept ?? contract.acceptanceCriteria)];
  contract.nonGoals = [...(options.nonGoal ?? contract.nonGoals)];
  contract.ownerDomain = options.domain ?? contract.ownerDomain;
  for (const name of commands) {
    const line = options[name];
    if (line === undefined) continue;
    contract.environment ??= create(EnvironmentSchema);
    contract.environment[name] = line;
  }
  if (options.context !== undefined) {
    request.context ??= create(ContextInSchema);
    request.context.sharedContext = options.context;
  }
  if (options.input !== undefined) request.inputs = { ...request.inputs, ...options.input };
  if (options.workspace !== undefined) request.workspace = workspaceOf(options.workspace);
  if (options.repository !== undefined && options.workspace !== undefined) {
    throw new CliError("BATON-CLI-001", "the work has a repository or a workspace, not both", {
      fix: "leave out one of them: --workspace shares a folder, --repository makes one for every attempt",
    });
  }
  if (options.repository !== undefined)
    request.workspace = create(WorkspaceSchema, { repository: resolve(options.repository) });
  if (options.branch !== undefined && options.repository !== undefined) {
    throw new CliError(
      "BATON-CLI-001",
      "--branch is not for a repository: every attempt has a branch of its own",
      {
        fix: "leave it out, and take the work over when it is done: baton runs show says how",
      },
    );
  }
  if (options.baseCommit === undefined && options.branch === undefined) return;
  request.workspace ??= create(WorkspaceSchema);
  request.workspace.baseCommit = options.baseCommit ?? request.workspace.baseCommit;
  request.workspace.branch = options.branch ?? request.workspace.branch;
}

const commands = [
  "testCommand",
  "lintCommand",
  "typecheckCommand",
  "buildCommand",
  "securityCommand",
] as const;

/** A URL as it is; a folder as an absolute path, which a hub and agents on this machine share. */
function workspaceOf(given: string): Workspace {
  const isRemote = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) || /^[\w.-]+@[\w.-]+:/.test(given);
  const path = resolve(given);
  return create(WorkspaceSchema, isRemote ? { repository: given } : { repository: path, path });
}
