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
  checkPastVersion,
  checkTransitionExists,
  checkUnchangedSince,
  hasEnded,
  heldWorkspaces,
  listTransitions,
  planBranches,
  preparesWorkspaces,
  replay,
  type WorkAtRisk,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { recordsOf } from "../../journal/read-records.ts";
import type { Caller } from "../../ports/caller.ts";
import { HubError } from "../../ports/hub-error.ts";
import type { BranchChange, CommitInLine, Merged } from "../../ports/outside.ts";
import type { EgressFilter } from "../../redaction/egress-filter.ts";
import { pipelineView } from "../../views/pipeline-view.ts";
import { type RewindFindings, rewindView, transitionView } from "../../views/rewind-view.ts";
import { actorOf, find, type HubContext, notFound, refusal, runNotFound, settled } from "../context.ts";
import type { Hub } from "../hub.ts";

type RewindCalls = Pick<Hub, "getTransitions" | "previewRewind" | "rewindPipeline">;

/** Of more transitions, only the latest are listed. */
export const maxTransitions = 5_000;

interface Findings extends RewindFindings {
  readonly plan: BranchPlan;
}

/** Rewinds of a pipeline (TUR-08). */
export function rewindCalls(context: HubContext): RewindCalls {
  return {
    async getTransitions(caller, { pipelineId, stageId }) {
      const state = await find(context, caller, pipelineId);
      const index = stageId === "" ? undefined : state.plan.indexOf.get(stageId);
      if (stageId !== "" && index === undefined) throw notFound("stage", stageId, "name a stage of this run");
      const transitions = listTransitions(await recordsOf(context, state.id));
      return create(GetTransitionsResponseSchema, {
        transitions: transitions
          .filter(({ stage }) => index === undefined || stage === index)
          .slice(-maxTransitions)
          .map((one) => transitionView(state, one)),
      });
    },

    async previewRewind(caller, { pipelineId, toRevision }) {
      const preview = rewindView(await survey(context, caller, pipelineId, toRevision));
      return create(PreviewRewindResponseSchema, { preview });
    },

    async rewindPipeline(caller, request) {
      const { pipelineId, toRevision, fromRevision } = request;
      for (let attempt = 1; ; attempt++) {
        const found = await survey(context, caller, pipelineId, toRevision, fromRevision);
        // A concurrent rewind changes the branches: survey again.
        const isLast = attempt === maxAttempts;
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

/** A busy agent changes the run during the survey, which must not prevent a rewind. */
const maxAttempts = 5;

async function decideRewind(
  context: HubContext,
  caller: Caller,
  { pipelineId, reason, discard }: RewindPipelineRequest,
  found: Findings,
  seen: number | undefined,
): Promise<RewindPipelineResponse> {
  const { engine, restorations, chance, closing } = context;
  const { past, plan: branches, atRisk } = found;
  const restoreId = chance.uuid();
  const hasBranchChanges = branches.set.length + branches.drop.length > 0;
  const set = hasBranchChanges ? restorations.expect(restoreId, closing) : undefined;
  const by = actorOf(caller);
  const input = {
    type: "rewind",
    rewindId: restoreId,
    past,
    seen,
    branches,
    atRisk,
    discard,
    reason,
    by,
  } as const;
  const { state } = await settled(engine.submit(pipelineId, input)).catch((error: unknown) => {
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

/** What a rewind would change and discard. Throws when the target does not exist. */
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
  if (!state) throw runNotFound(pipelineId);
  const version = Number(revision);
  const moved = agreed === 0n ? undefined : checkUnchangedSince(records, Number(agreed));
  const problem = moved ?? checkPastVersion(state, version) ?? checkTransitionExists(records, version);
  if (problem) throw refusal(problem);
  const past = replay(records.slice(0, version)) ?? state;
  const present = branchesAt(state, records, records.length);
  const before = branchesAt(state, records, version);
  if (!preparesWorkspaces(state) || present.size + before.size === 0) {
    const shares = state.task.workspace !== undefined && !preparesWorkspaces(state);
    const plan = { set: [], drop: [] };
    return { state, past, plan, branches: [], atRisk: [], note: shares ? sharedFolder : "" };
  }
  const plan = planBranches(present, before);
  const repository = state.task.workspace?.repository ?? "";
  const held = hasEnded(state) ? [] : [...heldWorkspaces(state).keys()];
  const job = { repository, abandoned: state.version, present, past: before, branches: plan, held };
  const seen = await context.workspaces.survey(job, context.closing);
  if (seen.ok) return { state, past, plan, ...shortenSurvey(seen, context.filter) };
  // Unreadable branches may contain anything.
  const atRisk = [{ kind: "foreign", branch: repository, detail: seen.reason }] as const;
  return { state, past, plan, branches: [], atRisk, note: `${seen.reason}: ${seen.fix}` };
}

const sharedFolder = "the agents share your folder: its files stay unchanged, only the run is rewound";

const maxSubject = 200;
const maxDetail = 2_000;

interface SurveyTexts {
  readonly branches: readonly BranchChange[];
  readonly atRisk: readonly WorkAtRisk[];
  readonly merged: readonly Merged[];
}

/** Shortens texts of agents in commits. Redacted before cutting: a cut secret is not recognised. */
function shortenSurvey(
  { branches, atRisk, merged }: SurveyTexts,
  filter: EgressFilter,
): Pick<Findings, "branches" | "atRisk" | "note"> {
  const redactor = filter.at("answer");
  const shorten = (text: string, length: number) =>
    redactor.redactText(text).text.slice(0, length).toWellFormed();
  const commits = (several: readonly CommitInLine[]) =>
    several.map(({ commit, subject }) => ({ commit, subject: shorten(subject, maxSubject) }));
  return {
    branches: branches.map((branch) => ({
      ...branch,
      givenUp: commits(branch.givenUp),
      regained: commits(branch.regained),
    })),
    atRisk: atRisk.map((risk) => ({ ...risk, detail: shorten(risk.detail, maxDetail) })),
    note: shorten(merged.map(describeMerged).join("; "), maxDetail),
  };
}

function describeMerged({ branch, commit, into }: Merged): string {
  const names = into.map((name) => `"${name}"`).join(", ");
  return `commit ${commit.slice(0, 12)} of ${branch} is already in ${names}: the rewind does not take it out there; revert it there if it has to go`;
}
