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
  applyMode,
  checkCachePolicy,
  checkContext,
  checkWork,
  explainFreshness,
  explainOmitted,
  explainRoute,
  instanceInfo,
  type PlanResult,
  type ReviewVerdict,
  withTaskRetries,
} from "@baton/kernel";
import { create, fromBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { accept } from "../../agents/accept.ts";
import { pipelineIdFor } from "../../engine/pipeline-id.ts";
import { refuseSecrets } from "../../governance/refuse-secrets.ts";
import { readRecords } from "../../journal/codec.ts";
import { ContentFinder } from "../../journal/contents.ts";
import { available } from "../../ports/available.ts";
import type { Caller } from "../../ports/caller.ts";
import { HubError } from "../../ports/hub-error.ts";
import type { ListedPipelineRow, PipelineField } from "../../ports/store.ts";
import { pipelineOf } from "../../ports/stored-command.ts";
import { cutPage, parseList } from "../../query/page.ts";
import { pipelineView } from "../../views/pipeline-view.ts";
import { checkReplyAddresses } from "../../webhooks/check-addresses.ts";
import type { Changeable } from "../configuration.ts";
import {
  changePipeline,
  find,
  type HubContext,
  notFound,
  refusal,
  refuseOverload,
  settled,
} from "../context.ts";
import type { Hub } from "../hub.ts";
import { pipelineList } from "../lists.ts";
import { checkNames } from "./check-names.ts";
import { dryRun, noPlan, type Plan, planOf, policyFor, submitInput } from "./submission.ts";

type PipelineCalls = Pick<
  Hub,
  "submitTask" | "getPipeline" | "listPipelines" | "reviewStage" | "explainDispatch"
>;

export function pipelineCalls(context: HubContext): PipelineCalls {
  const { engine, store, chance } = context;

  /** Views of unfinished runs are not stored. */
  const viewOfOpen = async (pipelineId: string): Promise<Uint8Array | undefined> => {
    const state = await available(engine.pipeline(pipelineId));
    return state && encodeBinary(PipelineSchema, pipelineView(state, { withResults: false }));
  };

  return {
    async submitTask(caller, request) {
      refuseOverload(context);
      refuseSecrets(request, context.filter.at("event"));
      await checkReplyAddresses(request, caller.tenantId, context.configuration.webhooks);
      const traceId = caller.traceId ?? chance.uuid().replaceAll("-", "");
      const plan = await planFor(context, caller, request);
      const submitted = submitInput(caller, request, plan, traceId, await rootOf(context, request));
      const identities = await available(engine.identitiesOf(caller.tenantId, request));
      const input = { ...submitted, ...identities };
      if (request.validateOnly)
        return create(SubmitTaskResponseSchema, {
          pipeline: dryRun(input, engine.nowMs, engine.policy(caller.tenantId)),
        });
      const { state, created } = await settled(engine.submit(input.pipelineId, input));
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
      return create(ReviewStageResponseSchema, {
        pipeline: await changePipeline(context, caller, pipelineId, input),
      });
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
      const findings = await available(snapshotOf(context, caller.tenantId, state.id, dispatchId));
      const freshness = explainFreshness(findings.snapshot?.refFreshness ?? [], envelope.refs);
      const omitted = explainOmitted(findings.snapshot?.omittedContext ?? []);
      return create(ExplainDispatchResponseSchema, {
        explanation: explainRoute(question.taskType, choice) + freshness + omitted,
        ...findings,
      });
    },
  };
}

/**
 * The plan of a task. A resubmitted task keeps its result although its deadline has passed or its template was removed
 * (DIS-15); the kernel compares the tasks.
 */
async function planFor(context: HubContext, caller: Caller, request: SubmitTaskRequest): Promise<Plan> {
  const { engine, configuration, mode } = context;
  try {
    const plan = acceptNew(request, configuration.templates, engine.nowMs);
    return { ...plan, policy: applyMode(mode, policyFor(request, plan.policy)) };
  } catch (refused) {
    if (request.validateOnly) throw refused;
    const pipelineId = pipelineIdFor(caller.tenantId, request.idempotencyKey);
    if ((await available(engine.pipeline(pipelineId))) === undefined) throw refused;
    return noPlan;
  }
}

/** HEAD of a folder that agents share, read before the first dispatch, because agents can move it later. */
async function rootOf(
  { workspaces, closing }: HubContext,
  { workspace, validateOnly }: SubmitTaskRequest,
): Promise<string | undefined> {
  if (!workspace?.path || workspace.baseCommit !== "" || validateOnly) return undefined;
  return workspaces.standsAt(workspace.path, closing);
}

/** The plan of a new task. Throws `HubError` when it is invalid or expired. */
function acceptNew(request: SubmitTaskRequest, templates: Changeable["templates"], nowMs: number): Plan {
  // Only the deadline depends on the current time.
  if (request.deadline && timestampMs(request.deadline) <= nowMs)
    accept(SubmitTaskRequestSchema, request, { nowMs });
  const plan = withTaskRetries(planOf(request, templates), request.maxRetries);
  checkNames(request, plan);
  const planned: PlanResult = plan.plan
    ? { ok: true, plan: plan.plan }
    : acceptPlan(plan.stages, plan.policy);
  const [problem] = [
    ...checkWork(request),
    ...(planned.ok ? checkContext(request, planned.plan) : planned.problems),
    ...(planned.ok ? checkCachePolicy(request, planned.plan.stages.length) : []),
  ];
  if (problem) throw refusal(problem);
  return { ...plan, ...(planned.ok && { plan: planned.plan }) };
}

/** The reviewing agent, if any: it must be live and connected with the caller's key. */
function reviewerOf(
  { engine }: HubContext,
  { tenantId, keyId }: Caller,
  { reviewerPackId: packId, reviewerInstanceId: instanceId }: ReviewStageRequest,
): Actor | undefined {
  if (packId === "" && instanceId === "") return undefined;
  const info = instanceInfo(engine.fleet(tenantId), packId, instanceId, engine.nowMs);
  const isPresent = info?.presence === "LIVE" && (keyId === undefined || info.lastReport?.by === keyId);
  if (isPresent) return { kind: "agent", id: instanceId, packId, ...(keyId !== undefined && { keyId }) };
  const message = `no agent "${packId}/${instanceId}" is connected with this key`;
  throw new HubError("denied", "BATON-PIPELINE-004", message, {
    fix: "name pack and instance of an agent that is connected with the reviewer's key",
  });
}

/** The dispatch decision in the audit record. */
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
