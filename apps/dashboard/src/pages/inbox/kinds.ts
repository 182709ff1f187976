import { EscalationKind, RiskTier } from "@baton/contract/messages";

/** What waits, in a word, and the rule by which the hub asks. */
export const kinds: Readonly<Record<EscalationKind, { readonly word: string; readonly rule: string }>> = {
  [EscalationKind.UNSPECIFIED]: { word: "Question", rule: "The hub could not go on by itself." },
  [EscalationKind.ADMISSION]: {
    word: "Not admitted",
    rule: "Admission of the routing policy: the queue is full, or a circuit breaker is open.",
  },
  [EscalationKind.ROUTING]: {
    word: "No agent",
    rule: "A task that no agent can take asks a person, unless agents are only busy.",
  },
  [EscalationKind.FRESHNESS]: {
    word: "Stale reference",
    rule: "A reference that is older than the policy allows and cannot be read again blocks the dispatch.",
  },
  [EscalationKind.REVIEW]: {
    word: "Review",
    rule: "The review gate: work of this risk, or whose checks are not clear, is decided by a person.",
  },
  [EscalationKind.CLARIFICATION]: {
    word: "Question",
    rule: "An agent that needs to know more pauses its stage and asks.",
  },
  [EscalationKind.POLICY]: {
    word: "Blocked by policy",
    rule: "What a policy forbids, only a person can let pass.",
  },
  [EscalationKind.FAILURE]: {
    word: "Failed",
    rule: "The failure strategy of this run is to wait for a person when a stage fails for good.",
  },
  [EscalationKind.DEADLINE]: {
    word: "Deadline passed",
    rule: "A deadline that has passed asks whether to go on.",
  },
  [EscalationKind.BUDGET]: { word: "Budget spent", rule: "What a task may spend is spent." },
  [EscalationKind.WORKSPACE]: {
    word: "No workspace",
    rule: "A task that names a repository gets a place of its own for every attempt, and that could not be made.",
  },
  [EscalationKind.ENTROPY]: {
    word: "Growing unsure",
    rule: "An agent whose confidence falls from turn to turn is shown to a person.",
  },
};

export const risks: Readonly<
  Record<RiskTier, { readonly word: string; readonly tone: "bad" | "asks" | "quiet" }>
> = {
  [RiskTier.CRITICAL]: { word: "Critical risk", tone: "bad" },
  [RiskTier.NORMAL]: { word: "Normal risk", tone: "asks" },
  [RiskTier.LOW]: { word: "Low risk", tone: "quiet" },
  [RiskTier.UNSPECIFIED]: { word: "Risk not stated", tone: "quiet" },
};
