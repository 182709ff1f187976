import { GovernanceSchema, IssuerKind, PressureLevel } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { readConstitution } from "../src/config/constitution/constitution-file.ts";
import type { Constitution } from "../src/governance/constitution.ts";
import { type CheckFinding, findingFor } from "../src/governance/report.ts";
import { type AlignmentValues, type PureRule, runCheck } from "../src/governance/run-check.ts";
import type { SelectedCheck } from "../src/governance/select.ts";
import { createRedactor } from "../src/trust/redaction/redactor.ts";
import type { Init } from "./init.ts";
import type { Run } from "./run.ts";

/** A constitution as a file has it; throws its problems. */
export function constitutionOf(body: object): Constitution {
  const reading = readConstitution({ constitution: { version: "1", ...body } }, "d".repeat(64));
  if (reading.ok) return reading.constitution;
  throw new Error(reading.problems.map(({ at, message }) => `${at} ${message}`).join("\n"));
}

export function governance(init: Init<typeof GovernanceSchema> = {}) {
  return create(GovernanceSchema, {
    sapVersion: "2.0",
    taskId: "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
    correlationId: "a7f5d5b2-13a8-4a0d-9ba2-6b1e3c6f9d11",
    issuer: { agentId: "planner", kind: IssuerKind.AGENT },
    pressureLevel: PressureLevel.INSTANT,
    ...init,
  });
}

const made = createRedactor({ personalData: "everywhere" });

/** Runs the checks of an `align` command as the hub does; those that are commands fail to run. */
export function findingsOf({
  checks,
  values,
}: {
  readonly checks: string;
  readonly values: string;
}): readonly CheckFinding[] {
  if (!made.ok) throw new Error("the redactor is refused");
  const { redactor } = made;
  const read = JSON.parse(values) as AlignmentValues;
  return (JSON.parse(checks) as readonly SelectedCheck[]).map((check) => {
    if (check.rule.kind === "command")
      return findingFor(check, { status: "ESCALATE", notes: "it failed to run", path: "" });
    const work = runCheck({ ...check, rule: check.rule as PureRule }, read, redactor);
    let next = work.next();
    while (!next.done) next = work.next();
    return findingFor(check, next.value);
  });
}

/** Executes the last `align` command of a run. */
export function runChecks(run: Run): readonly string[] {
  const command = run.commands.findLast(({ type }) => type === "align");
  if (command?.type !== "align") throw new Error("nothing is to be checked");
  const { subject, dispatchId } = command;
  return run.give({ type: "alignment-checked", subject, dispatchId, findings: findingsOf(command) });
}
