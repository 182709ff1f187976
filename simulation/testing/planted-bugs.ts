/** Bugs put in by hand around the real kernel, to show that the simulation finds them. */
import type { Store } from "@baton/runtime";
import { type Decision, type Kernel, kernel } from "../src/kernel.ts";
import { acceptOldAttempts, losesFindings, losesRejections, resetAllAfterTarget } from "./altered-records.ts";
import { forgetsFeedback, forgetsNumbers, keepsLedgerAt } from "./altered-state.ts";
import { crossesOffEarly, crossesOffSendsAtStart } from "./early-completion.ts";
import { answersAtOnce, forgetsSome } from "./hasty-store.ts";

export interface PlantedBug {
  readonly name: string;
  readonly kernel?: Kernel;
  readonly wrapStore?: (store: Store) => Store;
  /** What the simulation says when it has found it. */
  readonly foundAs: readonly string[];
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "a missed fence: the result of an old attempt is taken for the one under way",
    kernel: { ...kernel, decide: acceptOldAttempts },
    foundAs: ["a result of another attempt changes nothing"],
  },
  {
    name: "a budget that is not settled: what an attempt was given stays held when its result is in",
    kernel: keepsLedgerAt("received"),
    foundAs: ["the ledger holds and settles what the records say"],
  },
  {
    name: "a budget that is not held: what one attempt was given is given to the next one too",
    kernel: keepsLedgerAt("dispatched"),
    foundAs: [
      "the ledger holds and settles what the records say",
      "what is spent and held stays within the budget",
    ],
  },
  {
    name: "a rewind that resets all stages after its target, whether they depend on it or not",
    kernel: { ...kernel, decide: resetAllAfterTarget },
    // Decided upon before it is stored, what it left behind may break a decision first.
    foundAs: ["a rewind touches only the target and its descendants", "a decision never throws"],
  },
  {
    name: "a rewind to a version that forgets which numbers attempts have had since",
    kernel: forgetsNumbers,
    foundAs: [
      "every attempt has a dispatch id of its own",
      "I4: a rejection puts its target to READY with the next attempt",
      "what was left was left on a branch that holds",
    ],
  },
  {
    name: "a rewind to a version that does not make branches again which an earlier one took away",
    kernel: { ...kernel, decide: makesNoBranches },
    foundAs: ["a rewind leaves the branches of its version"],
  },
  {
    name: "a hub that does not wait for its store: what it decides leaves before it is durable",
    wrapStore: answersAtOnce,
    foundAs: ["what is decided is stored", "at most two batches are on their way"],
  },
  {
    name: "a store that loses what it said it has",
    wrapStore: forgetsSome,
    foundAs: ["what is decided is stored"],
  },
  {
    name: "finds a rejection that is not counted",
    kernel: losesRejections,
    foundAs: [
      "the hub counts the rejections that were seen",
      "I6: no more rejections are seen than max_rejections",
    ],
  },
  {
    name: "finds findings of the gate that are lost on a retry",
    kernel: losesFindings,
    foundAs: ["no feedback is lost on a retry"],
  },
  {
    name: "finds feedback that is forgotten with every retry",
    kernel: forgetsFeedback,
    foundAs: ["no feedback is lost on a retry"],
  },
  {
    name: "finds commands that are crossed off before they have left",
    wrapStore: crossesOffEarly,
    foundAs: ["a command is crossed off only when it has left"],
  },
  {
    name: "finds envelopes that are crossed off at a start before any agent is back",
    wrapStore: crossesOffSendsAtStart,
    foundAs: ["a command is crossed off only when it has left"],
  },
];

function makesNoBranches(...[state, input, world]: Parameters<Kernel["decide"]>): Decision {
  if (input.type !== "rewind") return kernel.decide(state, input, world);
  const set = input.branches.set.map((one) => ({ ...one, create: false }));
  return kernel.decide(state, { ...input, branches: { ...input.branches, set } }, world);
}
