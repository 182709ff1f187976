import { EscalationKind, type EscalationSnapshot } from "@baton/contract";
import { cutAtWord } from "../../brief.ts";
import { withoutSecrets } from "./workspace.ts";

/** Kinds whose questions may share one cause across stages and runs. Reviews and clarifications are individual. */
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
 * The cause of a question: questions with the same cause are answered together. Empty for individual decisions and
 * approvals.
 */
export function causeOf(
  kind: EscalationKind,
  { problem, options, blocking, admission }: EscalationSnapshot,
): string {
  // The limits of a tenant hold up all its runs; the budget of a run only that one.
  const isShared = shared.has(kind) || (kind === EscalationKind.BUDGET && options.includes("retry"));
  if (!isShared || !blocking || options.includes("approve")) return "";
  // The problem states the queue depth, which always differs.
  const isQueue = kind === EscalationKind.ADMISSION && admission?.breakerState !== "open";
  const what = isQueue ? "the queue is full" : problem;
  // Masked before the cut, so that secrets of several words are recognized. Other secrets are masked on egress.
  return cutAtWord(`${EscalationKind[kind]?.toLowerCase()}: ${withoutSecrets(what)}`, longest);
}
