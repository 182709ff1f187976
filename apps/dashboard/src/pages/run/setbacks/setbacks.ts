import { AttemptEnding, type AttemptSummary, type GateSnapshot, Outcome } from "@baton/contract/messages";
import { msOf } from "../../../design/format-time.ts";

/** An attempt that was rejected, retried, failed, disproved, or that asked a question. */
export interface Setback {
  readonly attempt: AttemptSummary;
  readonly kind: "claim" | "rejects" | "rejected" | "retried" | "failed" | "asked";
  /** For a rejection: the attempt whose work was rejected, if known. */
  readonly work?: AttemptSummary;
}

/** The setbacks of a run, in the order of time. */
export function setbacksOf(attempts: readonly AttemptSummary[]): readonly Setback[] {
  const senders = new Map<AttemptSummary, AttemptSummary>();
  for (const attempt of attempts) {
    const sender = attempt.ending === AttemptEnding.REJECTED && senderOf(attempt, attempts, senders);
    if (sender) senders.set(sender, attempt);
  }
  const withSender = new Set(senders.values());
  return attempts
    .flatMap((attempt): Setback[] => {
      const kind = kindOf(attempt);
      if (kind === undefined || withSender.has(attempt)) return [];
      const work = senders.get(attempt);
      return [{ attempt, kind, ...(work && { work }) }];
    })
    .sort((a, b) => (msOf(a.attempt.endedAt) ?? 0) - (msOf(b.attempt.endedAt) ?? 0));
}

/** The review attempt that rejected the work; undefined when a person did. */
function senderOf(
  rejected: AttemptSummary,
  attempts: readonly AttemptSummary[],
  senders: ReadonlyMap<AttemptSummary, AttemptSummary>,
): AttemptSummary | undefined {
  return attempts.find(
    (one) =>
      one.ending === AttemptEnding.SENT_BACK &&
      one.reason === rejected.reason &&
      (msOf(one.sentAt) ?? 0) >= (msOf(rejected.sentAt) ?? 0) &&
      !senders.has(one),
  );
}

function kindOf({ ending, outcome }: AttemptSummary): Setback["kind"] | undefined {
  if (ending === AttemptEnding.SENT_BACK) return "rejects";
  if (ending === AttemptEnding.REJECTED) return "rejected";
  if (ending === AttemptEnding.ANSWERED) return "asked";
  if (ending !== AttemptEnding.RETRIED && ending !== AttemptEnding.FAILED) return undefined;
  if (outcome === Outcome.SUCCESS) return "claim";
  return ending === AttemptEnding.RETRIED ? "retried" : "failed";
}

const words: Readonly<Record<Setback["kind"], string>> = {
  claim: "reported success, but the checks failed",
  rejects: "rejected the work",
  rejected: "was rejected in review",
  retried: "was retried",
  failed: "failed",
  asked: "asked and was answered",
};

export function wordsOf({ kind, attempt: { reason } }: Setback): {
  readonly did: string;
  readonly why: string;
} {
  const why = kind === "asked" ? reason.replace(/^answered: /, "") : reason;
  return { did: words[kind], why: why === "" ? "" : `: ${why}` };
}

/** Claims are quoted by their first line, up to this length. */
const maxClaimLength = 80;

/** Each disproved claim beside the result of the hub's own check; empty without disproved claims. */
export function disproofOf(gate: GateSnapshot | undefined): string {
  const disproved = gate?.checks.filter((check) => check.disproved) ?? [];
  return disproved
    .map(({ gateName, claim, run }) => {
      const [line = ""] = claim?.output.trim().split("\n") ?? [];
      const claimed = line === "" ? `that ${gateName} passes` : `“${line.slice(0, maxClaimLength)}”`;
      return `the claim ${claimed} was disproved: ${run ? ranText(run) : `${gateName} failed`}`;
    })
    .join("; ");
}

interface Ran {
  readonly command: string;
  readonly exitCode: number;
  readonly output: string;
}

function ranText({ command, exitCode, output }: Ran): string {
  const ended = exitCode < 0 ? "it did not exit" : `exit code ${exitCode}`;
  return `the hub ran ${command}, ${failuresIn(output) || ended}`;
}

/** The number of failures in the output of a test program: "1 failed". */
function failuresIn(output: string): string {
  const line =
    output.split("\n").findLast((one) => /\bfail(ed|ures?|ing)?:? +\d+|\b\d+ fail/i.test(one)) ?? "";
  const [count] = /\d+(?= +fail)/i.exec(line) ?? /(?<=\bfail\w*:? +)\d+/i.exec(line) ?? [];
  return count === undefined || count === "0" ? "" : `${count} failed`;
}
