import {
  GetTransitionsResponseSchema,
  PreviewRewindResponseSchema,
  type RewindPipelineRequest,
  type RewindPipelineResponse,
  RewindPipelineResponseSchema,
} from "@baton/contract";
import {
  type BranchPlan,
  branchesAt,
  hasEnded,
  heldPlaces,
  planBranches,
  replay,
  tellTransitions,
  wantsPlaces,
  whyNoSuchPast,
  whyNoTransition,
  whyNotAsSeen,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { pipelineView } from "../views/pipeline-view.ts";
import { type RewindFindings, rewindView, transitionView } from "../views/rewind-view.ts";
import { actorOf, find, type HubContext, notFound, refusal, settled } from "./context.ts";
import type { Caller, Hub } from "./hub.ts";
import { HubError } from "./hub-error.ts";
import { recordsOf } from "./read-records.ts";
import { shortenSurvey } from "./shorten-survey.ts";

type RewindCalls = Pick<Hub, "getTransitions" | "previewRewind" | "rewindPipeline">;

/** Of more transitions the last are told. */
export const mostTransitions = 5_000;

interface Findings extends RewindFindings {
  readonly plan: BranchPlan;
}

/** Taking a pipeline to another point of its history (TUR-08). */
export function rewindCalls(context: HubContext): RewindCalls {
  return {
    async getTransitions(caller, { pipelineId, stageId }) {
      const state = await find(context, caller, pipelineId);
      const index = stageId === "" ? undefined : state.plan.indexOf.get(stageId);
      if (stageId !== "" && index === undefined) throw notFound("stage", stageId, "name a stage of this run");
      const told = tellTransitions(await recordsOf(context, state.id));
      return create(GetTransitionsResponseSchema, {
        transitions: told
          .filter(({ stage }) => index === undefined || stage === index)
          .slice(-mostTransitions)
          .map((one) => transitionView(state, one)),
      });
    },

    async previewRewind(caller, { pipelineId, toRevision }) {
      const preview = rewindView(await survey(context, caller, pipelineId, toRevision));
      return create(PreviewRewindResponseSchema, { preview });
    },

    async rewindPipeline(caller, request) {
      const { pipelineId, toRevision, fromRevision } = request;
      for (let looks = 1; ; looks++) {
        const found = await survey(context, caller, pipelineId, toRevision, fromRevision);
        // Somebody else may rewind at the same time: then the branches are others, and it is looked at again.
        const isLast = looks === mostLooks;
        const seen = isLast && fromRevision === 0n ? undefined : found.state.version;
        try {
          return await decideRewind(context, caller, request, found, seen);
        } catch (error) {
          if (isLast || !(error instanceof HubError) || error.code !== "BATON-PIPELINE-009") throw error;
        }
      }
    },
  };
}

/** An agent that talks moves a pipeline on while it is looked at: that must not keep a person from taking it back. */
const mostLooks = 5;

async function decideRewind(
  context: HubContext,
  caller: Caller,
  { pipelineId, reason, discard }: RewindPipelineRequest,
  found: Findings,
  seen: number | undefined,
): Promise<RewindPipelineResponse> {
  const { driver, restorations, chance, closing } = context;
  const { past, plan: branches, atRisk } = found;
  const restoreId = chance.uuid();
  const isToBeSet = branches.set.length + branches.drop.length > 0;
  const set = isToBeSet ? restorations.expect(restoreId, closing) : undefined;
  const by = actorOf(caller);
  const input = { type: "restore", restoreId, past, seen, branches, atRisk, discard, reason, by } as const;
  const { state } = await settled(driver.ask(pipelineId, input)).catch((error: unknown) => {
    restorations.forget(restoreId);
    throw error;
  });
  const outcome = await set;
  return create(RewindPipelineResponseSchema, {
    pipeline: pipelineView(state, { withResults: true }),
    done: rewindView(found),
    branchProblem: outcome && !outcome.ok ? `${outcome.reason}; ${outcome.fix}` : "",
  });
}

/** What a rewind would change, and what it would go over. Throws when there is nothing to go to. */
async function survey(
  context: HubContext,
  caller: Caller,
  pipelineId: string,
  revision: bigint,
  agreed = 0n,
): Promise<Findings> {
  await find(context, caller, pipelineId);
  const records = await recordsOf(context, pipelineId);
  const state = replay(records);
  if (!state) throw notFound("run", pipelineId, "list the runs (baton runs list) and name one of them");
  const version = Number(revision);
  const moved = agreed === 0n ? undefined : whyNotAsSeen(records, Number(agreed));
  const problem = moved ?? whyNoSuchPast(state, version) ?? whyNoTransition(records, version);
  if (problem) throw refusal(problem);
  const past = replay(records.slice(0, version)) ?? state;
  const present = branchesAt(state, records, records.length);
  const before = branchesAt(state, records, version);
  if (!wantsPlaces(state) || present.size + before.size === 0) {
    const shares = state.task.workspace !== undefined && !wantsPlaces(state);
    const plan = { set: [], drop: [] };
    return { state, past, plan, branches: [], atRisk: [], note: shares ? sharedFolder : "" };
  }
  const plan = planBranches(present, before);
  const repository = state.task.workspace?.repository ?? "";
  const held = hasEnded(state) ? [] : [...heldPlaces(state).keys()];
  const job = { repository, abandoned: state.version, present, past: before, branches: plan, held };
  const seen = await context.workspaces.survey(job, context.closing);
  if (seen.ok) return { state, past, plan, ...shortenSurvey(seen, context.filter), note: "" };
  // What cannot be looked at may hold anything.
  const atRisk = [{ kind: "foreign", branch: repository, detail: seen.reason }] as const;
  return { state, past, plan, branches: [], atRisk, note: `${seen.reason}: ${seen.fix}` };
}

const sharedFolder = "the agents share a folder of yours: its files stay as they are, only the run goes back";
