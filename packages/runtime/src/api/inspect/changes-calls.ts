import { GetAttemptChangesResponseSchema, GetPipelineChangesResponseSchema } from "@baton/contract";
import { type PipelineState, sentOf } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { recordsOf } from "../../journal/read-records.ts";
import type { Caller } from "../../ports/caller.ts";
import type { RunChanges } from "../../ports/outside.ts";
import { pipelineOf } from "../../ports/stored-command.ts";
import { attemptHistories } from "../../views/attempt-history.ts";
import { attemptNotFound, find, type HubContext } from "../context.ts";
import type { Hub } from "../hub.ts";
import { auditedAttempt } from "./audit-findings.ts";

type ChangesCalls = Pick<Hub, "getAttemptChanges" | "getPipelineChanges">;

/** Changes of attempts and runs, from the hub's commits. */
export function changesCalls(context: HubContext): ChangesCalls {
  const { workspaces, closing } = context;
  return {
    async getAttemptChanges(caller, { dispatchId }) {
      const { repository, base, commit } = await committedWork(context, caller, dispatchId);
      const seen =
        base === "" || commit === ""
          ? ({ ok: false, reason: "the hub has no commit of this attempt" } as const)
          : await workspaces.changes({ repository, base, commit }, closing);
      return create(GetAttemptChangesResponseSchema, {
        ...(seen.ok ? { patch: seen.patch, truncated: seen.isCut } : { reason: seen.reason }),
        baseCommit: base,
        commit,
      });
    },

    async getPipelineChanges(caller, { dispatchId }) {
      const { state, repository, folder, commit } = await committedWork(context, caller, dispatchId);
      const base = state.rootCommit || (state.task.workspace?.baseCommit ?? "");
      const readChanges = (): Promise<RunChanges> | RunChanges => {
        if (folder !== "") return workspaces.runChanges({ folder, base }, closing);
        if (repository === "") return { ok: false, reason: "the run has no repository" };
        if (commit === "") return { ok: false, reason: "the hub has no commit of this attempt" };
        return workspaces.runChanges({ repository, base, commit }, closing);
      };
      const seen = await readChanges();
      return create(GetPipelineChangesResponseSchema, {
        ...(seen.ok ? seen.change : { reason: seen.reason }),
        ...{ baseCommit: seen.ok ? seen.base : base, commit, repository: folder || repository },
      });
    },
  };
}

/** The workspace and the commit of an attempt. */
async function committedWork(context: HubContext, caller: Caller, dispatchId: string) {
  const state = await find(context, caller, pipelineOf(dispatchId));
  const { attempts } = attemptHistories(await recordsOf(context, state.id));
  const attempt = attempts.find(({ dispatch }) => dispatch.dispatchId === dispatchId);
  if (!attempt) throw attemptNotFound(dispatchId);
  const scope = { tenantId: caller.tenantId, pipelineId: state.id };
  const { gate, dispatch } = await auditedAttempt(context, scope, dispatchId);
  const { repository = "" } = attempt.envelope.workspace ?? state.task.workspace ?? {};
  return {
    ...{ state, repository },
    /** The folder that all attempts share; empty if each has its own. */
    folder: state.task.workspace?.path ?? "",
    base: dispatch?.baseCommit ?? "",
    commit: gate?.commit || commitUnderReview(state, attempt.stage, dispatchId),
  };
}

/** The commit of an attempt under review, which the gate has not decided yet. */
function commitUnderReview({ stages }: PipelineState, scope: number, dispatchId: string): string {
  const stage = stages[scope];
  return stage && sentOf(stage)?.dispatchId === dispatchId ? (stage.kept?.commit ?? "") : "";
}
