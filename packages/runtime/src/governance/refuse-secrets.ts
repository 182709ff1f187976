import type { SubmitTaskRequest, Violation } from "@baton/contract";
import { type Redactor, textsIn } from "@baton/kernel";
import type { JsonObject } from "@bufbuild/protobuf";
import { HubError } from "../ports/hub-error.ts";

const code = "BATON-GOVERNANCE-002";

/** Secrets belong into attachments with secure addresses, not into the task (SAP V2 §11). Refused before anything is stored. */
export function refuseSecrets(
  { governance, inputs, contract }: SubmitTaskRequest,
  redactor: Pick<Redactor, "redactText">,
): void {
  if (!governance) return;
  const words: JsonObject = {
    title: contract?.title ?? "",
    acceptance_criteria: [...(contract?.acceptanceCriteria ?? [])],
    definition_of_done: [...(contract?.definitionOfDone ?? [])],
  };
  const stated: JsonObject = {
    constraints: governance.constraints,
    references: governance.references,
    tags: governance.tags,
    attachments: governance.attachments.map(({ uri }) => uri),
    rest: governance.rest ?? {},
  };
  const found: Violation[] = [];
  for (const [root, value] of [
    ["inputs", inputs ?? {}],
    ["contract", words],
    ["governance", stated],
  ] as const)
    for (const { path, text } of textsIn(root, value)) {
      const [secret] = redactor.redactText(text, "secrets").redactions;
      if (secret) found.push(violation(path, `contains a secret: ${secret.kind}`));
      if (found.length >= 100) break;
    }
  const [first] = found;
  if (!first) return;
  throw new HubError("invalid", code, `${first.field} ${first.message}`, {
    fix: "leave it out, and put what needs a secret into an attachment with a secure address",
    violations: found,
  });
}

function violation(field: string, message: string): Violation {
  return { field, rule: code, message };
}
