import { type Workspace, WorkspaceSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { createRedactor } from "../../trust/redaction/redactor.ts";
import { spanIdOf } from "./span-id.ts";
import { type AttemptWorkspace, type StageState, waitOf } from "./stage-state.ts";
import { hasEnded, type PipelineState } from "./state.ts";

/** Whether the hub prepares a workspace for every attempt. If the task names a folder, all attempts share it. */
export function preparesWorkspaces({ task }: PipelineState): boolean {
  return task.workspace !== undefined && task.workspace.path === "";
}

/** The workspace of the current attempt, if prepared. */
export function attemptWorkspace({ place, attempt }: StageState): AttemptWorkspace | undefined {
  return place?.attempt === attempt ? place : undefined;
}

/** The kept commit of the current attempt. */
export function commitOf({ kept, attempt }: StageState): string | undefined {
  return kept?.attempt === attempt ? kept.commit : undefined;
}

/** The workspace of the next attempt: the prepared one, or that of the task. */
export function workspaceOf(state: PipelineState, stage: StageState): Workspace | undefined {
  const { workspace } = state.task;
  const place = attemptWorkspace(stage);
  if (!workspace) return undefined;
  if (!place) return sinceRoot(workspace, state.rootCommit);
  const { baseCommit, branch, path } = place;
  return create(WorkspaceSchema, { repository: workspace.repository, baseCommit, branch, path });
}

/** A shared folder is compared with the root commit, because agents may move its HEAD. */
function sinceRoot(workspace: Workspace, rootCommit: string | undefined): Workspace {
  if (workspace.baseCommit !== "" || rootCommit === undefined) return workspace;
  return create(WorkspaceSchema, { ...workspace, baseCommit: rootCommit });
}

/**
 * The commits that a stage builds on: those kept of its dependencies. A skipped dependency stands for its own dependencies.
 * Empty means the root.
 */
export function commitsBefore({ plan, stages }: PipelineState, index: number): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<number>();
  const look = (place: number): void => {
    for (const before of plan.stages[place]?.dependsOn ?? []) {
      if (seen.has(before)) continue;
      seen.add(before);
      const stage = stages[before];
      const commit = stage?.status === "COMPLETED" ? stage.kept?.commit : undefined;
      if (commit === undefined) look(before);
      else found.add(commit);
    }
  };
  look(index);
  return [...found];
}

/** The base of the next attempt; several are merged. Empty means the repository's HEAD. */
export function baseFor(state: PipelineState, index: number): readonly string[] {
  const before = commitsBefore(state, index);
  if (before.length > 0) return before;
  const root = state.rootCommit || state.task.workspace?.baseCommit;
  return root ? [root] : [];
}

/** The branch of an attempt. Stage ids are arbitrary; branch and folder names are not. */
export function branchOf({ id, plan }: PipelineState, index: number, attempt: number): string {
  return `baton/${safeName(id)}/${safeName(plan.stages[index]?.id ?? "")}/${attempt}`;
}

/**
 * The branch of a stage if it exists: during an attempt, or with kept work. A branch without work is removed with its
 * folder. Empty otherwise.
 */
export function existingBranch(state: PipelineState, stage: StageState): string {
  const { place, kept } = stage;
  if (!place) return "";
  const isOpen = (stage.status === "READY" || stage.status === "DISPATCHED") && !hasEnded(state);
  if (isOpen && attemptWorkspace(stage)) return place.branch;
  return kept?.attempt === place.attempt && kept.commit !== place.startCommit ? place.branch : "";
}

/** Characters of a title in a list of commits. */
const maxTitleLength = 60;

/** The subject line of an attempt's commits: the task, the stage and the attempt. */
export function subjectOf({ plan, task }: PipelineState, index: number, attempt: number): string {
  const whole = withoutSecrets(task.contract?.title ?? "")
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim();
  const letters = [...whole];
  const title =
    letters.length > maxTitleLength
      ? `${letters
          .slice(0, maxTitleLength - 1)
          .join("")
          .trimEnd()}…`
      : whole;
  const which = `${safeName(plan.stages[index]?.id ?? "")}, attempt ${attempt}`;
  return title === "" ? which : `${title} (${which})`;
}

/**
 * Different names stay different, also on case-insensitive file systems. Names are permanent in the user's repository, so
 * one that looks like a secret is hidden regardless of the policy.
 */
function safeName(name: string): string {
  if (holdsSecret(name)) return `x.${spanIdOf(name)}`;
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)) return name;
  const readable = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .slice(0, 40);
  return `x${readable}.${spanIdOf(name)}`;
}

let redactor: ReturnType<typeof createRedactor> | undefined;

function holdsSecret(name: string): boolean {
  return withoutSecrets(name) !== name;
}

export function withoutSecrets(text: string): string {
  redactor ??= createRedactor({ personalData: "everywhere" });
  return redactor.ok ? redactor.redactor.redactText(text).text : "";
}

interface HeldWorkspace {
  readonly stage: number;
  readonly attempt: number;
  readonly branch: string;
}

/** Workspaces in use or about to be, by branch. An ended pipeline has none. */
export function heldWorkspaces(state: PipelineState): ReadonlyMap<string, HeldWorkspace> {
  const held = new Map<string, HeldWorkspace>();
  if (!preparesWorkspaces(state) || hasEnded(state)) return held;
  for (const [stage, one] of state.stages.entries()) {
    if (one.status !== "READY" && one.status !== "DISPATCHED") continue;
    if (!attemptWorkspace(one) && waitOf(one)?.kind !== "workspace") continue;
    const branch = branchOf(state, stage, one.attempt);
    held.set(branch, { stage, attempt: one.attempt, branch });
  }
  return held;
}
