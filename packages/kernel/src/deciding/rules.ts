import { EscalationKind } from "@baton/contract/messages";

/** The rules by which the hub asks a person. */
export const escalationRules: Readonly<Record<EscalationKind, string>> = {
  [EscalationKind.UNSPECIFIED]: "The hub could not go on by itself.",
  [EscalationKind.ADMISSION]:
    "Admission of the routing policy: the queue is full, or a circuit breaker is open.",
  [EscalationKind.ROUTING]: "A task that no agent can take asks a person, unless agents are only busy.",
  [EscalationKind.FRESHNESS]:
    "A reference that is older than the policy allows and cannot be read again blocks the dispatch.",
  [EscalationKind.REVIEW]:
    "The review gate: work of this risk, or whose checks are not clear, is decided by a person.",
  [EscalationKind.CLARIFICATION]: "An agent that needs to know more pauses its stage and asks.",
  [EscalationKind.POLICY]: "What a policy forbids, only a person can let pass.",
  [EscalationKind.FAILURE]:
    "The failure strategy of this run is to wait for a person when a stage fails for good.",
  [EscalationKind.DEADLINE]: "A deadline that has passed asks whether to go on.",
  [EscalationKind.BUDGET]: "What a task may spend is spent.",
  [EscalationKind.WORKSPACE]:
    "The hub makes a place and a branch for every attempt in a repository, and a rewind sets them back: one of these could not be done.",
  [EscalationKind.TOOL_CALL]:
    "The pack of the agent says that calls of this tool, or with these arguments, need a person's approval.",
  [EscalationKind.DELIVERY]:
    "A result that its receiver has not taken for a day stays in the hub until a person decides.",
  [EscalationKind.ENTROPY]: "An agent whose confidence falls from turn to turn is shown to a person.",
  [EscalationKind.ALIGNMENT]:
    "What violates the constitution, or cannot be checked against it, passes only if a person lets it.",
};

interface Question {
  readonly escalationId: string;
  readonly cause: string;
  readonly resolvedAt?: unknown;
}

/** Groups open questions by cause: one answer helps all. The first of each group stands for the others. */
export function groupByCause<One extends Question>(
  questions: readonly One[],
): readonly (readonly [One, ...One[]])[] {
  const groups = new Map<string, [One, ...One[]]>();
  for (const one of questions) {
    const key = one.cause === "" || one.resolvedAt ? one.escalationId : `cause ${one.cause}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}
