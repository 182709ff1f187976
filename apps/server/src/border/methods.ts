import {
  AuditService,
  InspectionService,
  KnowledgeService,
  OrchestratorService,
  RegistryService,
} from "@baton/contract";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { Role } from "./keys.ts";

export interface Rule {
  /** A key needs any of these roles. */
  readonly roles: readonly Role[];
  /** The kind of actor in the audit record. */
  readonly kind: "human" | "agent";
  /**
   * Whether a hub without keys accepts the call without a credential. All other methods are a person's decision and need the
   * operator token, so that a new method is closed by default.
   */
  readonly isOpen?: true;
}

/** Every role except agents may read. */
const looking: Rule = { roles: ["submit", "operate", "review", "audit"], kind: "human", isOpen: true };
const submitting: Rule = { roles: ["submit"], kind: "human", isOpen: true };
const labelling: Rule = { roles: ["submit", "operate"], kind: "human" };
const rerunning: Rule = { roles: ["submit"], kind: "human" };
const operating: Rule = { roles: ["operate"], kind: "human" };
/** The kernel decides which reviews an agent may do. */
const reviewing: Rule = { roles: ["review", "agent"], kind: "human" };
const answering: Rule = { roles: ["operate", "review"], kind: "human" };
const auditing: Rule = { roles: ["audit"], kind: "human", isOpen: true };
/** Closed, because every export adds an entry to the record. */
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
  labelPipeline: labelling,
  skipStage: operating,
  stopTenant: operating,
  startTenant: operating,
  getTenant: looking,
  raiseSpendLimit: operating,
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
  reportStep: serving,
  listSteps: serving,
  pinTools: serving,
  listPinnedTools: looking,
  acceptTool: operating,
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
  getSteps: looking,
  getAttempt: looking,
  getAttemptChanges: looking,
  getPipelineChanges: looking,
  getTransitions: looking,
  getTemplates: looking,
  getRoutingPolicy: looking,
  compareRouting: looking,
  getSpend: looking,
  getWithheldAnswer: answering,
  getConstitution: looking,
  compareConstitution: operating,
};

const knowledge: Rules<typeof KnowledgeService> = {
  listCacheRecords: looking,
  getCacheRecord: looking,
  revokeCacheRecord: operating,
  giveFeedback: answering,
  listSignals: looking,
  listLessons: looking,
  withdrawLesson: operating,
  getHeuristics: looking,
  changeHeuristics: operating,
};

const services = [
  [OrchestratorService, orchestrator],
  [RegistryService, registry],
  [AuditService, audit],
  [InspectionService, inspection],
  [KnowledgeService, knowledge],
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

/** The rule of a method; undefined for other services, such as health, which disclose nothing about tenants. */
export function ruleOf(method: DescMethod): Rule | undefined {
  return table.get(method);
}
