import {
  GetPipelineResponseSchema,
  SubmitTaskResponseSchema,
  WatchEventsResponseSchema,
} from "@baton/contract";
import { type Caller, type Hub, HubError } from "@baton/runtime";
import { create } from "@bufbuild/protobuf";

/** A hub that says of everything that it is not there, except what the test replaces. */
export function hubDouble(replaced: Partial<Hub> = {}): Hub {
  const absent = async (): Promise<never> => {
    throw new HubError("not-found", "BATON-PIPELINE-003", "there is no such thing", { fix: "list them" });
  };
  const hub: Hub = {
    submitTask: absent,
    getPipeline: absent,
    listPipelines: absent,
    pausePipeline: absent,
    resumePipeline: absent,
    abortPipeline: absent,
    changeLimits: absent,
    labelPipeline: absent,
    skipStage: absent,
    stopTenant: absent,
    raiseSpendLimit: absent,
    startTenant: absent,
    getTenant: absent,
    stoppedTenants: () => [],
    overrideStage: absent,
    cancelStage: absent,
    reviewStage: absent,
    listEscalations: absent,
    resolveEscalation: absent,
    explainDispatch: absent,
    previewRewind: absent,
    rewindPipeline: absent,
    rerunPipeline: absent,
    async *watchEvents() {},
    /** What is watched, one by one. */
    async *watchTogether(...watched) {
      for await (const event of hub.watchEvents(...watched)) yield [event];
    },
    onChangeHint: () => () => {},
    registerAgent: absent,
    sendHeartbeat: absent,
    reportStep: absent,
    listSteps: absent,
    pinTools: absent,
    listPinnedTools: absent,
    acceptTool: absent,
    listAgents: absent,
    restoreAgent: absent,
    async *attachAgent() {},
    getAttempts: absent,
    getTurns: absent,
    getSteps: absent,
    getAttempt: absent,
    getAttemptChanges: absent,
    getPipelineChanges: absent,
    getTransitions: absent,
    getTemplates: absent,
    getSpend: absent,
    getWithheldAnswer: absent,
    getConstitution: absent,
    compareConstitution: absent,
    getRoutingPolicy: absent,
    compareRouting: absent,
    listCacheRecords: absent,
    getCacheRecord: absent,
    revokeCacheRecord: absent,
    giveFeedback: absent,
    listSignals: absent,
    listLessons: absent,
    withdrawLesson: absent,
    getHeuristics: absent,
    changeHeuristics: absent,
    listAuditEntries: absent,
    getAuditProof: absent,
    verifyAudit: absent,
    getAuditCheckpoint: absent,
    async *exportAudit() {},
    sap: { submit: absent, result: absent, follow: absent, cancel: absent, transcript: absent },
    whyNotReady: () => undefined,
    recordWarnings: () => [],
    drain: async () => undefined,
    ...replaced,
  };
  return hub;
}

/** Takes every task, as a pipeline whose id is the idempotency key, and remembers who brought it. */
export function takingHub(replaced: Partial<Hub> = {}): { readonly hub: Hub; readonly callers: Caller[] } {
  const callers: Caller[] = [];
  const hub = hubDouble({
    async submitTask(caller, { idempotencyKey }) {
      callers.push(caller);
      return create(SubmitTaskResponseSchema, { pipeline: { pipelineId: idempotencyKey } });
    },
    async getPipeline(_, { pipelineId }) {
      return create(GetPipelineResponseSchema, { pipeline: { pipelineId } });
    },
    async *watchEvents() {
      yield create(WatchEventsResponseSchema, { message: { case: "caughtUp", value: { sequence: 7n } } });
    },
    ...replaced,
  });
  return { hub, callers };
}
