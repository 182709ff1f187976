import { AuditService, InspectionService, OrchestratorService, RegistryService } from "@baton/contract";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { Role } from "./keys.ts";

export interface Rule {
  /** Who may call it: a key with any of these roles. */
  readonly roles: readonly Role[];
  /** As what the record names the caller. */
  readonly kind: "human" | "agent";
  /**
   * Whether it may be called without any credential on a hub without keys. What is not marked is a person's decision and
   * needs the operator token: a method that is added without a thought is closed.
   */
  readonly isOpen?: true;
}

/** To look is allowed to everybody who has something to do here, agents apart. */
const looking: Rule = { roles: ["submit", "operate", "review", "audit"], kind: "human", isOpen: true };
const submitting: Rule = { roles: ["submit"], kind: "human", isOpen: true };
const rerunning: Rule = { roles: ["submit"], kind: "human" };
const operating: Rule = { roles: ["operate"], kind: "human" };
/** An agent may review what its risk leaves to agents; the kernel says what that is. */
const reviewing: Rule = { roles: ["review", "agent"], kind: "human" };
const answering: Rule = { roles: ["operate", "review"], kind: "human" };
const auditing: Rule = { roles: ["audit"], kind: "human", isOpen: true };
/** Every export is an entry of the record, so not everybody may make one. */
const exporting: Rule = { roles: ["audit"], kind: "human" };
const serving: Rule = { roles: ["agent"], kind: "agent", isOpen: true };

type Rules<Service extends DescService> = Readonly<Record<keyof Service["method"], Rule>>;

const orchestrator: Rules<typeof OrchestratorService> = {
  submitTask: submitting,
  getPipeline: looking,
  listPipelines: looking,
  watchEvents: looking,
  pausePipeline: operating,
  resumePipeline: operating,
  abortPipeline: operating,
  changeLimits: operating,
  skipStage: operating,
  stopTenant: operating,
  startTenant: operating,
  getTenant: looking,
  overrideStage: operating,
  cancelStage: operating,
  reviewStage: reviewing,
  listEscalations: looking,
  resolveEscalation: answering,
  explainDispatch: looking,
  previewRewind: looking,
  rewindPipeline: operating,
  rerunPipeline: rerunning,
};

const registry: Rules<typeof RegistryService> = {
  attachAgent: serving,
  registerAgent: serving,
  sendHeartbeat: serving,
  listAgents: looking,
  restoreAgent: operating,
};

const audit: Rules<typeof AuditService> = {
  listAuditEntries: auditing,
  getAuditProof: auditing,
  verifyAudit: auditing,
  getAuditCheckpoint: auditing,
  exportAudit: exporting,
};

const inspection: Rules<typeof InspectionService> = {
  getAttempts: looking,
  getTurns: looking,
  getAttempt: looking,
  getAttemptChanges: looking,
  getPipelineChanges: looking,
  getTransitions: looking,
  getTemplates: looking,
  getRoutingPolicy: looking,
  compareRouting: looking,
};

const services = [
  [OrchestratorService, orchestrator],
  [RegistryService, registry],
  [AuditService, audit],
  [InspectionService, inspection],
] as const;

const table: ReadonlyMap<DescMethod, Rule> = new Map(
  services.flatMap(([service, rules]) =>
    service.methods.map((method): [DescMethod, Rule] => {
      const rule = Object.entries(rules).find(([name]) => name === method.localName)?.[1];
      if (rule === undefined) throw new Error(`${method} has no rule that says who may call it`);
      return [method, rule];
    }),
  ),
);

/** The rule of a method; undefined for those of other services, which tell nothing of any tenant. */
export function ruleOf(method: DescMethod): Rule | undefined {
  return table.get(method);
}
