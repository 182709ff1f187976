import { GetAttemptChangesResponseSchema, GetPipelineChangesResponseSchema } from "@baton/contract";
import { type PipelineState, sentOf } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { pipelineOf } from "../driver/order.ts";
import type { RunChanges } from "../ports/outside.ts";
import { tellAttempts } from "../views/tell-attempts.ts";
import { find, type HubContext, notFound } from "./context.ts";
import type { Caller, Hub } from "./hub.ts";
import { notedOf } from "./read-noted.ts";
import { recordsOf } from "./read-records.ts";

type ChangesCalls = Pick<Hub, "getAttemptChanges" | "getPipelineChanges">;

/** What attempts and whole pipelines changed, from the commits that the hub keeps. */
export function changesCalls(context: HubContext): ChangesCalls {
  const { workspaces, closing } = context;
  return {
    async getAttemptChanges(caller, { dispatchId }) {
      const { repository, base, commit } = await keptWork(context, caller, dispatchId);
      const seen =
        base === "" || commit === ""
          ? ({ ok: false, reason: "the hub keeps no commit of this attempt" } as const)
          : await workspaces.changes({ repository, base, commit }, closing);
      return create(GetAttemptChangesResponseSchema, {
        ...(seen.ok ? { patch: seen.patch, truncated: seen.isCut } : { reason: seen.reason }),
        baseCommit: base,
        commit,
      });
    },

    async getPipelineChanges(caller, { dispatchId }) {
      const { state, repository, folder, commit } = await keptWork(context, caller, dispatchId);
      const base = state.rootCommit || (state.task.workspace?.baseCommit ?? "");
      const look = (): Promise<RunChanges> | RunChanges => {
        if (folder !== "") return workspaces.runChanges({ folder, base }, closing);
        if (repository === "") return { ok: false, reason: "the run has no repository" };
        if (commit === "") return { ok: false, reason: "the hub kept no commit of this attempt" };
        return workspaces.runChanges({ repository, base, commit }, closing);
      };
      const seen = await look();
      return create(GetPipelineChangesResponseSchema, {
        ...(seen.ok ? seen.change : { reason: seen.reason }),
        ...{ baseCommit: seen.ok ? seen.base : base, commit, repository: folder || repository },
      });
    },
  };
}

/** Where an attempt worked, and what was kept of it. */
async function keptWork(context: HubContext, caller: Caller, dispatchId: string) {
  const state = await find(context, caller, pipelineOf(dispatchId));
  const { attempts } = tellAttempts(await recordsOf(context, state.id));
  const told = attempts.find(({ dispatch }) => dispatch.dispatchId === dispatchId);
  if (!told) throw notFound("attempt", dispatchId, "list the attempts of the run and name one of them");
  const place = { tenantId: caller.tenantId, pipelineId: state.id };
  const { gate, dispatch } = await notedOf(context, place, dispatchId);
  const { repository = "" } = told.envelope.workspace ?? state.task.workspace ?? {};
  return {
    ...{ state, repository },
    /** The folder that all attempts share; empty where each has its own. */
    folder: state.task.workspace?.path ?? "",
    base: dispatch?.baseCommit ?? "",
    commit: gate?.commit || keptOf(state, told.stage, dispatchId),
  };
}

/** Whoever reviews an attempt looks at what it changed before the gate has decided about it. */
function keptOf({ stages }: PipelineState, place: number, dispatchId: string): string {
  const stage = stages[place];
  return stage && sentOf(stage)?.dispatchId === dispatchId ? (stage.kept?.commit ?? "") : "";
}
