import { type Governance, IssuerKind, RiskTolerance, type SubmitTaskRequest } from "@baton/contract";
import type { Constitution, IssuerGrant, IssuerKindName, TaskScope } from "./constitution.ts";

/** Whether a name is one of the patterns; `report.*` matches what begins with `report.`. */
export function matchesAny(patterns: readonly string[] | undefined, name: string): boolean {
  if (!patterns) return true;
  return patterns.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name));
}

export function isInScope(
  { territories, capabilities }: TaskScope,
  { territory, capability }: { readonly territory: string; readonly capability: string },
): boolean {
  return matchesAny(territories, territory) && matchesAny(capabilities, capability);
}

/** The capability of a governed task: its own, else its task type or template. */
export function capabilityOf({ governance, plan }: SubmitTaskRequest): string {
  if (governance && governance.capability !== "") return governance.capability;
  if (plan.case === "taskType" || plan.case === "templateId") return plan.value;
  return plan.case === "pipeline" ? plan.value.name : "";
}

const kindNames: Readonly<Record<IssuerKind, IssuerKindName | "">> = {
  [IssuerKind.UNSPECIFIED]: "",
  [IssuerKind.USER]: "user",
  [IssuerKind.SYSTEM]: "system",
  [IssuerKind.AGENT]: "agent",
};

export function issuerKindName(kind: IssuerKind): IssuerKindName | "" {
  return kindNames[kind] ?? "";
}

/** Whether the issuer may issue tasks of this capability (SAP V2 §11). */
export function mayIssue({ issuers }: Constitution, { issuer }: Governance, capability: string): boolean {
  if (!issuers) return true;
  const kind = issuerKindName(issuer?.kind ?? IssuerKind.UNSPECIFIED);
  const allows = ({ capabilities, agentIds, kinds }: IssuerGrant) =>
    matchesAny(capabilities, capability) &&
    matchesAny(agentIds, issuer?.agentId ?? "") &&
    (kinds === undefined || (kind !== "" && kinds.includes(kind)));
  return issuers.some(allows);
}

export function riskName(risk: RiskTolerance): "low" | "medium" | "high" {
  if (risk === RiskTolerance.LOW) return "low";
  return risk === RiskTolerance.HIGH ? "high" : "medium";
}
