import type { PipelineInput } from "../kernel.ts";
import type { Rejection } from "./attempt.ts";

/** The hub has stored it, refuses it, or is not available. */
export type Reply = "taken" | "refused" | "down";

type Review = Extract<PipelineInput, { type: "review" }>;

/** A rejection that a reviewer asked for, and what the hub replied. */
export interface Verdict {
  readonly stageId: string;
  readonly dispatchId: string;
  readonly targetStageId: string;
  readonly words: readonly string[];
  taken: boolean;
  /** Without a reply, or with one that got lost: it may have taken effect all the same. */
  unknown: number;
}

/** What reviewers asked for, as they know it themselves. */
export class Verdicts {
  readonly #byDispatch = new Map<string, Verdict[]>();

  /** Returns where the reply is to be noted. */
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

  /** The verdict that the hub said it carried out with this rejection. */
  behind({ target, underWay }: Rejection): Verdict | undefined {
    return this.#of(underWay).find(({ taken, targetStageId }) => taken && targetStageId === target);
  }

  /** Whether there is one that may have led to it. */
  mayBeBehind({ target, underWay }: Rejection): boolean {
    return this.#of(underWay).some(
      ({ taken, unknown, targetStageId }) => (taken || unknown > 0) && targetStageId === target,
    );
  }

  /** Verdicts about an attempt that the hub said it carried out. */
  takenAbout(dispatchId: string): Verdict | undefined {
    return this.#byDispatch.get(dispatchId)?.find(({ taken }) => taken);
  }

  #of(underWay: Rejection["underWay"]): readonly Verdict[] {
    return [...underWay.values()].flatMap(({ dispatchId }) => this.#byDispatch.get(dispatchId) ?? []);
  }
}
