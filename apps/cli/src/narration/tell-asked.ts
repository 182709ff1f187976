import type { EscalationSnapshot } from "@baton/contract/forms";
import { asCalled } from "../called-as.ts";
import { type Beat, deed } from "./beat.ts";

/** What a person is asked. A problem that was told already is left out. */
export function tellAsked(
  problem: string | undefined,
  question: EscalationSnapshot | undefined,
  way?: string,
): Beat {
  // That a question wants an answer is plain.
  const isPlain = question?.recommended === "answer";
  const advice =
    question?.recommended && !isPlain ? [{ text: `advice: ${asCalled(question.recommended, way)}` }] : [];
  return deed("asks", [...(problem === undefined ? [] : [{ text: problem }]), ...advice], "asks");
}
