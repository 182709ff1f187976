import { EscalationKind, RiskTier } from "@baton/contract/messages";

export const kinds: Readonly<Record<EscalationKind, string>> = {
  [EscalationKind.UNSPECIFIED]: "Question",
  [EscalationKind.ADMISSION]: "Not admitted",
  [EscalationKind.ROUTING]: "No agent",
  [EscalationKind.FRESHNESS]: "Stale reference",
  [EscalationKind.REVIEW]: "Review",
  [EscalationKind.CLARIFICATION]: "Question",
  [EscalationKind.POLICY]: "Blocked by policy",
  [EscalationKind.FAILURE]: "Failed",
  [EscalationKind.DEADLINE]: "Deadline passed",
  [EscalationKind.BUDGET]: "Budget spent",
  [EscalationKind.WORKSPACE]: "No workspace",
  [EscalationKind.DELIVERY]: "Not delivered",
  [EscalationKind.ENTROPY]: "Low confidence",
  [EscalationKind.TOOL_CALL]: "Call of a tool",
  [EscalationKind.ALIGNMENT]: "Constitution",
};

export const risks: Readonly<
  Record<RiskTier, { readonly word: string; readonly tone: "bad" | "asks" | "quiet" }>
> = {
  [RiskTier.CRITICAL]: { word: "Critical risk", tone: "bad" },
  [RiskTier.NORMAL]: { word: "Normal risk", tone: "asks" },
  [RiskTier.LOW]: { word: "Low risk", tone: "quiet" },
  // Unstated risk is treated as normal.
  [RiskTier.UNSPECIFIED]: { word: "Normal risk", tone: "asks" },
};
