import { AttemptEnding, type AttemptSummary, type GateSnapshot, Outcome } from "@baton/contract/messages";
import { msOf } from "../../../design/format-time.ts";

/** Something that did not go straight on. */
export interface Happening {
  readonly attempt: AttemptSummary;
  readonly kind: "claim" | "rejects" | "rejected" | "retried" | "failed" | "asked";
  /** The attempt whose work it rejects; undefined where that is not known, and of all other kinds. */
  readonly work?: AttemptSummary;
}

/** What a reader of a run has to know of its attempts, in the order in which it happened. */
export function happeningsOf(attempts: readonly AttemptSummary[]): readonly Happening[] {
  const senders = new Map<AttemptSummary, AttemptSummary>();
  for (const attempt of attempts) {
    const sender = attempt.ending === AttemptEnding.REJECTED && senderOf(attempt, attempts, senders);
    if (sender) senders.set(sender, attempt);
  }
  const withSender = new Set(senders.values());
  return attempts
    .flatMap((attempt): Happening[] => {
      const kind = kindOf(attempt);
      if (kind === undefined || withSender.has(attempt)) return [];
      const work = senders.get(attempt);
      return [{ attempt, kind, ...(work && { work }) }];
    })
    .sort((a, b) => (msOf(a.attempt.endedAt) ?? 0) - (msOf(b.attempt.endedAt) ?? 0));
}

/** Who sent it back, and said why; undefined where a person did. */
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

function kindOf({ ending, outcome }: AttemptSummary): Happening["kind"] | undefined {
  if (ending === AttemptEnding.SENT_BACK) return "rejects";
  if (ending === AttemptEnding.REJECTED) return "rejected";
  if (ending === AttemptEnding.ANSWERED) return "asked";
  if (ending !== AttemptEnding.RETRIED && ending !== AttemptEnding.FAILED) return undefined;
  if (outcome === Outcome.SUCCESS) return "claim";
  return ending === AttemptEnding.RETRIED ? "retried" : "failed";
}

const words: Readonly<Record<Happening["kind"], string>> = {
  claim: "said that it was done, and that did not hold",
  rejects: "rejected the work",
  rejected: "was rejected in review",
  retried: "was tried again",
  failed: "failed",
  asked: "asked, and was answered",
};

/** What it did, and why, or what it was told. */
export function wordsOf({ kind, attempt: { reason } }: Happening): {
  readonly did: string;
  readonly why: string;
} {
  const why = kind === "asked" ? reason.replace(/^answered: /, "") : reason;
  return { did: words[kind], why: why === "" ? "" : `: ${why}` };
}

/** Claims are quoted from their first line, which says how many of what there were; more would be a page. */
const mostOfClaim = 80;

/** What was claimed, and what the hub saw when it looked itself; empty where it disproved nothing. */
export function disproofOf(gate: GateSnapshot | undefined): string {
  const lies = gate?.checks.filter(({ disproved }) => disproved) ?? [];
  return lies
    .map(({ gateName, claim, run }) => {
      const [line = ""] = claim?.output.trim().split("\n") ?? [];
      const claimed = line === "" ? `that ${gateName} passes` : `“${line.slice(0, mostOfClaim)}”`;
      return `the claim ${claimed} did not hold: ${run ? ranText(run) : `${gateName} failed`}`;
    })
    .join("; ");
}

interface Ran {
  readonly command: string;
  readonly exitCode: number;
  readonly output: string;
}

function ranText({ command, exitCode, output }: Ran): string {
  const ended = exitCode < 0 ? "it did not end by itself" : `it ended with ${exitCode}`;
  return `the hub ran ${command}, ${failuresIn(output) || ended}`;
}

/** Of what a program printed, how many failed, where it says so: "1 failed". */
function failuresIn(output: string): string {
  const line =
    output.split("\n").findLast((one) => /\bfail(ed|ures?|ing)?:? +\d+|\b\d+ fail/i.test(one)) ?? "";
  const [count] = /\d+(?= +fail)/i.exec(line) ?? /(?<=\bfail\w*:? +)\d+/i.exec(line) ?? [];
  return count === undefined || count === "0" ? "" : `${count} failed`;
}
