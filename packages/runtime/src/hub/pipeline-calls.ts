import {
  AuditEntrySchema,
  type DispatchSnapshot,
  ExplainDispatchResponseSchema,
  encodeBinary,
  GetPipelineResponseSchema,
  ListPipelinesResponseSchema,
  PipelineSchema,
  type ReviewStageRequest,
  ReviewStageResponseSchema,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
  SubmitTaskResponseSchema,
} from "@baton/contract";
import {
  type Actor,
  acceptPlan,
  explainFreshness,
  explainOmitted,
  explainRoute,
  instanceInfo,
  judgeContext,
  policyIn,
  type ReviewVerdict,
  withTaskRetries,
} from "@baton/kernel";
import { create, fromBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { accept } from "../agents/agent-desk.ts";
import { pipelineOf } from "../driver/order.ts";
import { readRecords } from "../journal/codec.ts";
import { ContentFinder } from "../journal/contents.ts";
import type { ListedPipelineRow, PipelineField } from "../ports/store.ts";
import { cutPage, parseList } from "../query/page.ts";
import { pipelineView } from "../views/pipeline-view.ts";
import { checkNames } from "./check-names.ts";
import type { Changeable } from "./configuration.ts";
import { available, find, type HubContext, notFound, refusal, refuseOverload, settled } from "./context.ts";
import { dryRun } from "./dry-run.ts";
import type { Caller, Hub } from "./hub.ts";
import { HubError } from "./hub-error.ts";
import { pipelineList } from "./lists.ts";
import { step } from "./step.ts";
import { noPlan, type Plan, pipelineIdFor, planOf, policyFor, submitInput } from "./submission.ts";

type PipelineCalls = Pick<
  Hub,
  "submitTask" | "getPipeline" | "listPipelines" | "reviewStage" | "explainDispatch"
>;

export function pipelineCalls(context: HubContext): PipelineCalls {
  const { driver, store, chance } = context;

  /** Of those that have not ended, none is stored. */
  const viewOfOpen = async (pipelineId: string): Promise<Uint8Array | undefined> => {
    const state = await available(driver.pipeline(pipelineId));
    return state && encodeBinary(PipelineSchema, pipelineView(state, { withResults: false }));
  };

  return {
    async submitTask(caller, request) {
      refuseOverload(context);
      const traceId = caller.traceId ?? chance.uuid().replaceAll("-", "");
      const plan = await planFor(context, caller, request);
      const input = submitInput(caller, request, plan, traceId, await rootOf(context, request));
      if (request.validateOnly)
        return create(SubmitTaskResponseSchema, { pipeline: dryRun(input, driver.nowMs) });
      const { state, created } = await settled(driver.ask(input.pipelineId, input));
      return create(SubmitTaskResponseSchema, {
        pipeline: pipelineView(state, { withResults: true }),
        existing: !created,
      });
    },

    async getPipeline(caller, { pipelineId }) {
      const state = await find(context, caller, pipelineId);
      return create(GetPipelineResponseSchema, { pipeline: pipelineView(state, { withResults: true }) });
    },

    async listPipelines(caller, request) {
      const query = parseList(caller.tenantId, request, pipelineList);
      const rows: ListedPipelineRow[] = [];
      for (const row of await available(store.pipelines(query))) {
        rows.push({ ...row, view: row.view ?? (await viewOfOpen(row.pipelineId)) });
      }
      const page = cutPage(rows, query, request, pipelineList, {
        readField: (row, field: PipelineField) => row[field],
        bytesOf: ({ view }) => view?.length ?? 0,
      });
      return create(ListPipelinesResponseSchema, {
        pipelines: page.rows.flatMap(({ view }) => (view ? [fromBinary(PipelineSchema, view)] : [])),
        nextPageToken: page.nextPageToken,
      });
    },

    async reviewStage(caller, request) {
      const { pipelineId, stageId, dispatchId, reason } = request;
      const verdict = verdictOf(request);
      const reviewer = reviewerOf(context, caller, request);
      const input = (person: Actor) => {
        const by = reviewer ?? person;
        return { type: "review", stageId, dispatchId, verdict, reason, by } as const;
      };
      return create(ReviewStageResponseSchema, { pipeline: await step(context, caller, pipelineId, input) });
    },

    async explainDispatch(caller, { dispatchId }) {
      const state = await find(context, caller, pipelineOf(dispatchId));
      const journal = await available(store.journal(state.id));
      const finder = new ContentFinder(journal?.contents ?? new Map());
      const dispatched = journal?.texts
        .flatMap((text) => readRecords(text, finder))
        .find((record) => record.type === "dispatched" && record.dispatchId === dispatchId);
      if (dispatched?.type !== "dispatched")
        throw notFound("dispatch", dispatchId, "name one that `baton runs show` lists");
      const { question, choice, envelope } = dispatched;
      const told = await available(snapshotOf(context, caller.tenantId, state.id, dispatchId));
      const freshness = explainFreshness(told.snapshot?.refFreshness ?? [], envelope.refs);
      const omitted = explainOmitted(told.snapshot?.omittedContext ?? []);
      return create(ExplainDispatchResponseSchema, {
        explanation: explainRoute(question.taskType, choice) + freshness + omitted,
        ...told,
      });
    },
  };
}

/**
 * How a task is to be run. One that was submitted before has its answer, though its deadline has passed or its template is
 * gone since (DIS-15); whether it is the same task, the kernel says.
 */
async function planFor(context: HubContext, caller: Caller, request: SubmitTaskRequest): Promise<Plan> {
  const { driver, configuration, mode } = context;
  try {
    const plan = acceptNew(request, configuration.templates, driver.nowMs);
    return { ...plan, policy: policyIn(mode, policyFor(request, plan.policy)) };
  } catch (refused) {
    if (request.validateOnly) throw refused;
    const pipelineId = pipelineIdFor(caller.tenantId, request.idempotencyKey);
    if ((await available(driver.pipeline(pipelineId))) === undefined) throw refused;
    return noPlan;
  }
}

/** Where a folder stands that agents will share. Later its HEAD is theirs to move, so it is asked before any is sent. */
async function rootOf(
  { workspaces, closing }: HubContext,
  { workspace, validateOnly }: SubmitTaskRequest,
): Promise<string | undefined> {
  if (!workspace?.path || workspace.baseCommit !== "" || validateOnly) return undefined;
  return workspaces.standsAt(workspace.path, closing);
}

/** How a new task is to be run. Throws `HubError` when it cannot be, or comes too late. */
function acceptNew(request: SubmitTaskRequest, templates: Changeable["templates"], nowMs: number): Plan {
  // Nothing else of a valid request depends on when it comes.
  if (request.deadline && timestampMs(request.deadline) <= nowMs)
    accept(SubmitTaskRequestSchema, request, { nowMs });
  const plan = withTaskRetries(planOf(request, templates), request.maxRetries);
  checkNames(request, plan);
  const planned = acceptPlan(plan.stages, plan.policy);
  const [problem] = planned.ok ? judgeContext(request, planned.plan) : planned.problems;
  if (problem) throw refusal(problem);
  return plan;
}

/** The agent that reviews, when one does: it has to be there, and to have come in with the caller's own key. */
function reviewerOf(
  { driver }: HubContext,
  { tenantId, keyId }: Caller,
  { reviewerPackId: packId, reviewerInstanceId: instanceId }: ReviewStageRequest,
): Actor | undefined {
  if (packId === "" && instanceId === "") return undefined;
  const info = instanceInfo(driver.fleet(tenantId), packId, instanceId, driver.nowMs);
  const isThere = info?.presence === "LIVE" && (keyId === undefined || info.said?.by === keyId);
  if (isThere) return { kind: "agent", id: instanceId, packId, ...(keyId !== undefined && { keyId }) };
  const message = `no agent "${packId}/${instanceId}" is here with this key`;
  throw new HubError("denied", "BATON-PIPELINE-004", message, {
    fix: "name pack and instance of an agent that is attached with the key that reviews",
  });
}

/** What the record says of the choice. */
async function snapshotOf(
  { store }: HubContext,
  tenantId: string,
  pipelineId: string,
  dispatchId: string,
): Promise<{ readonly snapshot?: DispatchSnapshot }> {
  const rows = await store.auditEntries({
    tenantId,
    where: [
      { field: "pipelineId", operator: "=", value: pipelineId },
      { field: "eventType", operator: "=", value: "DISPATCH_DECISION" },
    ],
    orderBy: [{ field: "sequence", descending: true }],
    after: undefined,
    limit: 1_000,
  });
  const entries = rows.map(({ entry }) => fromBinary(AuditEntrySchema, entry));
  const payload = entries.find((entry) => entry.dispatchId === dispatchId)?.snapshot?.snapshotPayload;
  return payload?.case === "dispatch" ? { snapshot: payload.value } : {};
}

function verdictOf({ verdict }: ReviewStageRequest): ReviewVerdict {
  if (verdict.case === "approval") return { kind: "approve" };
  const rejection = verdict.case === "rejection" ? verdict.value : undefined;
  if (rejection?.unfixable) return { kind: "fail" };
  return {
    kind: "reject",
    targetStageId: rejection?.rewindTargetStage || undefined,
    instructions: rejection?.instructions ?? [],
  };
}
