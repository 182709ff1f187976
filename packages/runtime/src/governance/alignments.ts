import {
  type AlignmentValues,
  type CheckFinding,
  findingFor,
  type PureRule,
  type Redactor,
  type RuleFinding,
  runCheck,
  type SelectedCheck,
  shortNote,
} from "@baton/kernel";
import type { RunGuard } from "../guardrails/guard-commands.ts";
import type { Clock } from "../ports/clock.ts";
import type { Alignments } from "../ports/outside.ts";

export interface AlignmentParts extends Pick<Clock, "soon"> {
  readonly redactor: Redactor;
  readonly runCommand: RunGuard;
}

/** Runs the checks of the constitution in their order. One that fails to run asks a person; it never passes. */
export function createAlignments(parts: AlignmentParts): Alignments {
  return {
    async check({ checks, values: text }, signal): Promise<readonly CheckFinding[]> {
      const values = JSON.parse(text) as AlignmentValues;
      const findings: CheckFinding[] = [];
      for (const check of JSON.parse(checks) as readonly SelectedCheck[]) {
        signal.throwIfAborted();
        const { notes, ...finding } = await run(check, values, parts, signal);
        // Commands and rules may repeat what they found.
        const masked = parts.redactor.redactText(notes).text;
        findings.push(findingFor(check, { ...finding, notes: masked }));
      }
      return findings;
    },
  };
}

async function run(
  check: SelectedCheck,
  values: AlignmentValues,
  { redactor, runCommand, soon }: AlignmentParts,
  signal: AbortSignal,
): Promise<RuleFinding> {
  const { rule } = check;
  try {
    if (rule.kind === "command") {
      const input = JSON.stringify({ ...values, check: check.name, principle: check.principle });
      const ended = await runCommand(rule, input, signal);
      if (ended.ok) return { status: "PASS", notes: "", path: "" };
      const status = ended.failed ? "ESCALATE" : "FAIL";
      return { status, notes: check.message || shortNote(ended.reason), path: "" };
    }
    const work = runCheck({ ...check, rule: rule as PureRule }, values, redactor);
    let next = work.next();
    while (!next.done) {
      await new Promise<void>((resolve) => soon(resolve));
      next = work.next();
    }
    return next.value;
  } catch (error) {
    signal.throwIfAborted();
    return { status: "ESCALATE", notes: `it failed to run: ${String(error)}`, path: "" };
  }
}
