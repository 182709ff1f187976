import { type FleetFacts, fleetFromFacts } from "./fleet-facts.ts";
import { type RouteQuestion, route } from "./route.ts";
import type { RoutingPolicy } from "./routing-policy.ts";

/** A past dispatch, with the facts of its decision. */
export interface PastDispatch {
  readonly dispatchId: string;
  readonly question: RouteQuestion;
  readonly facts: FleetFacts;
  readonly packId: string;
  readonly instanceId: string;
}

export interface Difference {
  readonly dispatchId: string;
  readonly taskType: string;
  readonly was: { readonly packId: string; readonly instanceId: string };
  /** The other choice, or why there is none. */
  readonly wouldBe: { readonly packId: string; readonly instanceId: string } | { readonly refused: string };
}

/** The past dispatches that another policy would have routed differently, from the same inputs. */
export function whatIf(past: readonly PastDispatch[], policy: RoutingPolicy): readonly Difference[] {
  return past.flatMap(({ dispatchId, question, facts, packId, instanceId }): Difference[] => {
    const answer = route(question, policy, fleetFromFacts(facts));
    if (answer.kind === "refused") {
      const wouldBe = { refused: answer.refusal.reason };
      return [{ dispatchId, taskType: question.taskType, was: { packId, instanceId }, wouldBe }];
    }
    const { choice } = answer;
    if (choice.packId === packId && choice.instanceId === instanceId) return [];
    const wouldBe = { packId: choice.packId, instanceId: choice.instanceId };
    return [{ dispatchId, taskType: question.taskType, was: { packId, instanceId }, wouldBe }];
  });
}
