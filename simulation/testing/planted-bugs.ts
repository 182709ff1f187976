/** Bugs planted in the kernel and in the store, to prove that the simulation finds them. */
import type { Store } from "@baton/runtime";
import { type Decision, type Kernel, kernel } from "../src/kernel.ts";
import { firstSeedWithSteps } from "../src/simulate.ts";
import { acceptOldAttempts, losesFindings, losesRejections, resetAllAfterTarget } from "./altered-records.ts";
import { forgetsFeedback, forgetsNumbers, forgetsSteps, keepsLedgerAt } from "./altered-state.ts";
import { completesEarly, completesSendsAtStart } from "./early-completion.ts";
import { answersAtOnce, forgetsSome } from "./hasty-store.ts";

export interface PlantedBug {
  readonly name: string;
  readonly kernel?: Kernel;
  readonly wrapStore?: (store: Store) => Store;
  /** Where the search begins: a few seeds before the first one that finds it. Default: 1. */
  readonly firstSeed?: number;
  /** The violated invariants. */
  readonly foundAs: readonly string[];
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "a result of an old attempt that counts for the current one",
    kernel: { ...kernel, decide: acceptOldAttempts },
    foundAs: ["a result of another attempt changes nothing"],
  },
  {
    name: "a grant that stays held after the result",
    kernel: keepsLedgerAt("received"),
    foundAs: ["the ledger agrees with the records"],
  },
  {
    name: "a grant that is not held, and granted again",
    kernel: keepsLedgerAt("dispatched"),
    foundAs: ["the ledger agrees with the records", "spent and held amounts stay within the budget"],
  },
  {
    name: "a rejection that resets stages which do not depend on its target",
    kernel: { ...kernel, decide: resetAllAfterTarget },
    firstSeed: 7,
    // The wrong state may break a later decision before the batch is stored.
    foundAs: ["a rejection resets only the target and its descendants", "a decision never throws"],
  },
  {
    name: "a rewind to a version that forgets later attempt numbers",
    kernel: forgetsNumbers,
    firstSeed: 13,
    foundAs: [
      "dispatch ids are unique",
      "I4: a rejection makes its target READY with the next attempt",
      "work is left on a known branch",
    ],
  },
  {
    name: "a rewind to a version that does not recreate branches",
    kernel: { ...kernel, decide: recreatesNoBranches },
    firstSeed: 13,
    foundAs: ["a rewind restores the branches of its version"],
  },
  {
    name: "effects of a decision before it is durable",
    wrapStore: answersAtOnce,
    foundAs: ["every decision is stored", "at most two batches are in flight"],
  },
  {
    name: "a store that loses acknowledged batches",
    wrapStore: forgetsSome,
    foundAs: ["every decision is stored"],
  },
  {
    name: "a rejection that is not counted",
    kernel: losesRejections,
    firstSeed: 18,
    foundAs: [
      "the hub counts the rejections that were seen",
      "I6: rejections seen outside stay within max_rejections",
    ],
  },
  {
    name: "findings of the gate that are lost on a retry",
    kernel: losesFindings,
    foundAs: ["no feedback is lost on a retry"],
  },
  {
    name: "feedback that is lost on a retry",
    kernel: forgetsFeedback,
    foundAs: ["no feedback is lost on a retry"],
  },
  {
    name: "durable steps that are lost on a retry",
    kernel: forgetsSteps,
    firstSeed: firstSeedWithSteps + 24,
    foundAs: ["a finished step is not run again", "a step that is not idempotent is not repeated"],
  },
  {
    name: "commands that are completed before they were sent",
    wrapStore: completesEarly,
    foundAs: ["a command is completed only after it was sent"],
  },
  {
    name: "envelopes that are completed at a start before any agent has reconnected",
    wrapStore: completesSendsAtStart,
    firstSeed: 31,
    foundAs: ["a command is completed only after it was sent"],
  },
];

function recreatesNoBranches(...[state, input, world]: Parameters<Kernel["decide"]>): Decision {
  if (input.type !== "rewind") return kernel.decide(state, input, world);
  const set = input.branches.set.map((one) => ({ ...one, create: false }));
  return kernel.decide(state, { ...input, branches: { ...input.branches, set } }, world);
}
