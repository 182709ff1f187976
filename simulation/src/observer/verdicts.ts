import type { PipelineInput } from "../kernel.ts";
import type { Rejection } from "./attempt.ts";

/** The hub has stored it, refuses it, or is not available. */
export type Reply = "taken" | "refused" | "down";

type Review = Extract<PipelineInput, { type: "review" }>;

/** A rejection that a reviewer requested, and the reply. */
export interface Verdict {
  readonly stageId: string;
  readonly dispatchId: string;
  readonly targetStageId: string;
  readonly words: readonly string[];
  taken: boolean;
  /** Requests without a known reply: they may have taken effect. */
  unknown: number;
}

/** The verdicts that reviewers requested. */
export class Verdicts {
  readonly #byDispatch = new Map<string, Verdict[]>();

  /** Returns a callback for the reply. */
  asked({ verdict, stageId, dispatchId, reason }: Review): (word: Reply) => void {
    if (verdict.kind !== "reject") return () => {};
    const targetStageId = verdict.targetStageId ?? stageId;
    const words = [reason, ...verdict.instructions];
    const asked: Verdict = { stageId, dispatchId, targetStageId, words, taken: false, unknown: 1 };
    this.#byDispatch.set(dispatchId, [...(this.#byDispatch.get(dispatchId) ?? []), asked]);
    return (word) => {
      if (word === "taken") asked.taken = true;
      if (word !== "down") asked.unknown--;
    };
  }

  /** The acknowledged verdict that caused the rejection. */
  behind({ target, underWay }: Rejection): Verdict | undefined {
    return this.#of(underWay).find(({ taken, targetStageId }) => taken && targetStageId === target);
  }

  /** Whether a verdict may have caused it. */
  mayBeBehind({ target, underWay }: Rejection): boolean {
    return this.#of(underWay).some(
      ({ taken, unknown, targetStageId }) => (taken || unknown > 0) && targetStageId === target,
    );
  }

  /** An acknowledged verdict about an attempt. */
  takenAbout(dispatchId: string): Verdict | undefined {
    return this.#byDispatch.get(dispatchId)?.find(({ taken }) => taken);
  }

  #of(underWay: Rejection["underWay"]): readonly Verdict[] {
    return [...underWay.values()].flatMap(({ dispatchId }) => this.#byDispatch.get(dispatchId) ?? []);
  }
}
