import { type FleetFacts, fleetFromFacts } from "./fleet-facts.ts";
import { type RouteQuestion, route } from "./route.ts";
import type { RoutingPolicy } from "./routing-policy.ts";

/** A dispatch as it was decided, with what the decision looked at. */
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
  /** Where it would have gone, or why nowhere. */
  readonly wouldBe: { readonly packId: string; readonly instanceId: string } | { readonly refused: string };
}

/** The dispatches that would have gone elsewhere under another policy, from the same inputs. */
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
