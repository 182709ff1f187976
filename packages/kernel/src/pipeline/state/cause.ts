import { EscalationKind, type EscalationSnapshot } from "@baton/contract";
import { cutAtWord } from "../../trust/cut-at-word.ts";
import { withoutSecrets } from "./workspace.ts";

/** Kinds whose questions have one cause that may stop many stages of many runs. Reviews and answers are one by one. */
const shared = new Set([
  EscalationKind.ADMISSION,
  EscalationKind.ROUTING,
  EscalationKind.FRESHNESS,
  EscalationKind.POLICY,
  EscalationKind.FAILURE,
  EscalationKind.WORKSPACE,
]);

const longest = 256;

/**
 * What a question comes from: questions with the same cause are answered together. Empty where each is a decision of its
 * own; what somebody has to let pass always is.
 */
export function causeOf(
  kind: EscalationKind,
  { problem, options, blocking, admission }: EscalationSnapshot,
): string {
  if (!shared.has(kind) || !blocking || options.includes("approve")) return "";
  // The depth of the queue is in the problem, and is another one every time.
  const isQueue = kind === EscalationKind.ADMISSION && admission?.breakerState !== "open";
  const what = isQueue ? "the queue is full" : problem;
  // Secrets of several words are masked before the cut; the rest is masked by the hub's own policy later.
  return cutAtWord(`${EscalationKind[kind]?.toLowerCase()}: ${withoutSecrets(what)}`, longest);
}
