import type { Workspaces } from "../ports/outside.ts";

/** For a hub without workspaces. */
export const noWorkspaces: Workspaces = {
  prepare: async () => ({
    ok: false,
    reason: "this hub creates no workspaces",
    fix: "abort, and submit the task with a folder as workspace.path, or without a workspace",
  }),
  look: async () => ({ changes: undefined }),
  copy: async () => ({ ok: false, reason: "this hub keeps no commits" }),
  standsAt: async () => undefined,
  release: async () => {},
  changes: async () => ({ ok: false, reason: "this hub keeps no commits" }),
  runChanges: async () => ({ ok: false, reason: "this hub keeps no commits" }),
  measure: async () => undefined,
  survey: async () => ({ ok: true, branches: [], atRisk: [], merged: [] }),
  restore: async () => ({ ok: true }),
  tidy: async () => {},
};
