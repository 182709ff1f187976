import { type GateCheck, GateCheckStatus } from "@baton/contract";
import { type Beat, deed, type Said } from "./beat.ts";

/** Said wherever a result was taken as it came. */
export const nothingChecked = "nothing was checked: the contract names no command and limits no files";

/** What the gate looked at, and what it saw. Where somebody reviewed it, that nothing applied need not be said. */
export function tellChecks(checks: readonly GateCheck[], isReviewed: boolean): readonly Beat[] {
  const said = checks.flatMap(tellCheck);
  if (said.length > 0) return [deed("checked", said)];
  return isReviewed ? [] : [deed("checked", [{ mark: "left", text: nothingChecked }])];
}

function tellCheck(check: GateCheck): readonly Said[] {
  const { gateName, status } = check;
  if (status === GateCheckStatus.NOT_APPLICABLE) return [];
  return [
    {
      mark: status === GateCheckStatus.PASSED ? "done" : "failed",
      text: `${gateName}: ${briefly(check)}`,
    },
  ];
}

/** How the command ended, and whether the agent had said so. Records of before have only the words. */
function briefly({ evidence, run, claim }: GateCheck): string {
  if (!run) return withoutOutput(evidence);
  const ended = `"${run.command}" ended with ${run.exitCode}`;
  if (!claim || claim.passed === run.passed) return `${ended}, run again by the hub`;
  return `${ended}, and the agent had claimed that it ${claim.passed ? "passed" : "failed"}`;
}

/** `"node --test" ended with 0: …`: how it ended, without all that it printed. */
function withoutOutput(evidence: string): string {
  const claimed = /^the hub saw: (".*" ended with \d+)/m.exec(evidence)?.[1];
  if (claimed !== undefined) return `${claimed}, and the agent had claimed that it passed`;
  const ran = /^".*" ended with \d+(?=:)/.exec(evidence)?.[0];
  return ran === undefined ? (evidence.split("\n")[0] ?? "") : `${ran}, run again by the hub`;
}
