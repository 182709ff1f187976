import { type Workspace, WorkspaceSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { createRedactor } from "../../trust/redaction/redactor.ts";
import { spanIdOf } from "./span-id.ts";
import { type AttemptWorkspace, type StageState, waitOf } from "./stage-state.ts";
import { hasEnded, type PipelineState } from "./state.ts";

/** Whether the hub makes a place for every attempt. A task that names a folder has all its attempts share that. */
export function preparesWorkspaces({ task }: PipelineState): boolean {
  return task.workspace !== undefined && task.workspace.path === "";
}

/** The place of the attempt that the stage is about, if it was made. */
export function attemptWorkspace({ place, attempt }: StageState): AttemptWorkspace | undefined {
  return place?.attempt === attempt ? place : undefined;
}

/** The commit that was kept of the attempt that the stage is about, if any was. */
export function commitOf({ kept, attempt }: StageState): string | undefined {
  return kept?.attempt === attempt ? kept.commit : undefined;
}

/** Where the next attempt works: in the place that was made for it, or where the task says. */
export function workspaceOf(state: PipelineState, stage: StageState): Workspace | undefined {
  const { workspace } = state.task;
  const place = attemptWorkspace(stage);
  if (!workspace) return undefined;
  if (!place) return sinceRoot(workspace, state.rootCommit);
  const { baseCommit, branch, path } = place;
  return create(WorkspaceSchema, { repository: workspace.repository, baseCommit, branch, path });
}

/** A shared folder is compared with where it stood at the beginning: its HEAD is the agent's to move. */
function sinceRoot(workspace: Workspace, rootCommit: string | undefined): Workspace {
  if (workspace.baseCommit !== "" || rootCommit === undefined) return workspace;
  return create(WorkspaceSchema, { ...workspace, baseCommit: rootCommit });
}

/**
 * The commits that a stage builds on: those that were kept of the stages it waits for. One that was left out stands for
 * those before it. None means that it begins with the root.
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

/** What changes of the next attempt are compared with; more than one are merged. None is where the repository stands. */
export function baseFor(state: PipelineState, index: number): readonly string[] {
  const before = commitsBefore(state, index);
  if (before.length > 0) return before;
  const root = state.rootCommit || state.task.workspace?.baseCommit;
  return root ? [root] : [];
}

/** The branch of an attempt. The names of stages are free, those of branches and folders are not. */
export function branchOf({ id, plan }: PipelineState, index: number, attempt: number): string {
  return `baton/${safeName(id)}/${safeName(plan.stages[index]?.id ?? "")}/${attempt}`;
}

/**
 * The branch of a stage, where it is sure that there is one: while somebody works there, and when what was kept goes beyond
 * where the attempt began. One on which nothing was done goes with its folder. Empty otherwise.
 */
export function existingBranch(state: PipelineState, stage: StageState): string {
  const { place, kept } = stage;
  if (!place) return "";
  const isOpen = (stage.status === "READY" || stage.status === "DISPATCHED") && !hasEnded(state);
  if (isOpen && attemptWorkspace(stage)) return place.branch;
  return kept?.attempt === place.attempt && kept.commit !== place.startCommit ? place.branch : "";
}

/** As much of a title as a list of commits has room for. */
const maxTitleLength = 60;

/** What a commit of an attempt is about, as git's log shows it: the task, and which attempt at what. */
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
 * No two names become one, also where capitals do not count. They stand in the user's repository for good, so that one which
 * looks like a secret is not shown, whatever the policy in force says.
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

export interface HeldWorkspace {
  readonly stage: number;
  readonly attempt: number;
  readonly branch: string;
}

/** Places in which somebody works or is about to, by branch. A pipeline that has ended holds none. */
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
