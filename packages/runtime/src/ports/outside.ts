import type {
  CancelAgentRequest,
  Environment,
  GetPipelineChangesResponse,
  Ref,
  TaskEnvelope,
  Workspace,
} from "@baton/contract";
import type {
  BranchPlan,
  Command,
  PreparedWorkspace,
  RecordedBranch,
  RefreshOutcome,
  SeenSize,
  Verification,
  VerifiedChanges,
  WorkAtRisk,
} from "@baton/kernel";
import type { PublishPulses } from "./pulse.ts";

/** The way to one running agent. */
export interface AgentLink {
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
  /** Executors an envelope over. Resolves when it is on its way; throws when it certainly is not. */
  send(envelope: TaskEnvelope): Promise<void>;
  /** Asks to stop an attempt. True when the agent has heard it; what it then does is not waited for. */
  cancel(request: CancelAgentRequest): Promise<boolean>;
}

/** Runs the commands of a contract and looks at the files, so that nobody has to take the agent's word. */
export interface Verifier {
  /** What its commands print is told while they run. */
  verify(job: VerifyJob, signal: AbortSignal, tell?: PublishPulses): Promise<Verification>;
}

export interface VerifyJob {
  readonly dispatchId: string;
  readonly environment: Environment | undefined;
  /** Commands of the check of the tests beside the test command. */
  readonly testsToRun?: readonly string[] | undefined;
  readonly workspace: Workspace;
  /** The hub made the folder itself, has seen what was changed there, and has kept it. */
  readonly kept?: KeptWork | undefined;
}

export interface KeptWork {
  readonly changes: VerifiedChanges | undefined;
  /** Where the commands run, made when it is their turn; with these files as the base commit has them. */
  copy(asInBase?: readonly string[]): Promise<KeptCopy | NoCopy>;
}

/** What was kept, in a folder of its own: nothing is there that the agent left beside the commit. */
export interface KeptCopy {
  readonly ok: true;
  readonly directory: string;
  /** What git reads outside of it: the objects of the repository. */
  readonly readable: readonly string[];
  readonly dependencies: readonly Dependency[];
  /** Files that were put as the base commit has them, and are different there. */
  readonly laid: readonly string[];
  /** How its files differ from the commit; undefined where they do not. */
  differs(): Promise<string | undefined>;
  /** What the agent's place has and this has not, because git ignores it. */
  lacks(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface NoCopy {
  readonly ok: false;
  readonly reason: string;
}

/** A folder of the user's checkout that commands find in the copy at the same place, without being able to change it. */
export interface Dependency {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Makes places for agents to work in, keeps what they leave there, and clears them away. Each may be asked for again, also
 * while it is being done.
 */
export interface Workspaces {
  prepare(job: PrepareJob, signal: AbortSignal): Promise<PreparedWorkspace>;
  /** What an agent left, before anything is run there. */
  look(job: LookJob, signal: AbortSignal): Promise<LeftWork>;
  /** A fresh checkout of what was kept, for commands to run in. Whoever asks closes it. */
  copy(job: KeptJob, signal: AbortSignal): Promise<KeptCopy | NoCopy>;
  /** The commit that a folder stands at, which agents are to share; undefined where that cannot be told. */
  standsAt(folder: string, signal: AbortSignal): Promise<string | undefined>;
  /** Puts a place away, now or later. What was left there is on its branch, and told, before anything of it goes. */
  release(job: ReleaseJob, signal: AbortSignal, left: ReportWorkLeft): Promise<void>;
  /** What was changed from one commit that was kept to another. */
  changes(job: ChangesJob, signal: AbortSignal): Promise<Changes>;
  /** What a whole run changed, file by file. */
  runChanges(job: RunChangesJob, signal: AbortSignal): Promise<RunChanges>;
  /** How much a whole run changed; undefined where that cannot be seen. */
  measure(job: RunChangesJob, signal: AbortSignal): Promise<SeenSize | undefined>;
  /** What setting branches as they were would change, and what is in the way. */
  survey(job: SurveyJob, signal: AbortSignal): Promise<Survey>;
  /** Sets branches as they were, all or none; what stood there is kept under `refs/baton/abandoned`. */
  restore(job: RestoreJob, signal: AbortSignal): Promise<Restored>;
  /** When the hub has come up: places that nobody holds are of an earlier life. */
  tidy(held: ReadonlySet<string>, signal: AbortSignal, left: ReportWorkLeft): Promise<void>;
}

/** Of an attempt that is over, the commit that its branch stands at. Resolves when it is on record. */
export type ReportWorkLeft = (dispatchId: string, commit: string) => Promise<unknown>;

export type PrepareJob = Omit<Extract<Command, { type: "prepare-workspace" }>, "type">;
export type ReleaseJob = Omit<Extract<Command, { type: "release-workspace" }>, "type">;
export type LookJob = Pick<Extract<Command, { type: "verify" }>, "workspace" | "artifacts" | "place">;
export type LeftWork = Pick<Verification, "commit" | "changes" | "artifacts" | "unseen">;

export interface SurveyJob {
  readonly repository: string;
  /** The version under which is kept what the branches stand at. */
  readonly abandoned: number;
  /** As the hub has recorded them: now, and then. */
  readonly present: ReadonlyMap<string, RecordedBranch>;
  readonly past: ReadonlyMap<string, RecordedBranch>;
  readonly branches: BranchPlan;
  /** Branches of places in which an agent is at work. */
  readonly held: readonly string[];
}

export type Survey =
  | {
      readonly ok: true;
      readonly branches: readonly BranchChange[];
      readonly atRisk: readonly WorkAtRisk[];
      /** Commits that are given up, and are in branches of somebody else as well. */
      readonly merged: readonly Merged[];
    }
  | { readonly ok: false; readonly reason: string; readonly fix: string };

export interface Merged {
  readonly branch: string;
  readonly commit: string;
  /** Names of branches. */
  readonly into: readonly string[];
}

/** How a branch would become different. */
export interface BranchChange {
  readonly branch: string;
  readonly commitNow: string | undefined;
  readonly commitThen: string | undefined;
  readonly keptAs: string | undefined;
  readonly givenUp: readonly CommitInLine[];
  readonly regained: readonly CommitInLine[];
  readonly files: VerifiedChanges["files"];
}

export interface CommitInLine {
  readonly commit: string;
  readonly subject: string;
}

export type RestoreJob = Omit<Extract<Command, { type: "restore-branches" }>, "type" | "restoreId">;
export type Restored =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly fix: string };

export interface KeptJob {
  readonly branch: string;
  readonly commit: string;
  /** Files that are put as the commit has them that the attempt is compared with, or removed where it has none. */
  readonly asInBase?: readonly string[] | undefined;
}

export interface ChangesJob {
  readonly repository: string;
  readonly base: string;
  readonly commit: string;
}

export type Changes =
  /** As git writes it; of a very large one the beginning. */
  | { readonly ok: true; readonly patch: string; readonly isCut: boolean }
  | { readonly ok: false; readonly reason: string };

/** From the commit that a run began with to one that was kept, or to what lies in a folder that all attempts share. */
export type RunChangesJob = { readonly base: string } & (
  | { readonly repository: string; readonly commit: string }
  | { readonly folder: string }
);

export type RunChanges =
  | { readonly ok: true; readonly base: string; readonly change: WholeChange }
  | { readonly ok: false; readonly reason: string };

export type WholeChange = Pick<
  GetPipelineChangesResponse,
  "files" | "size" | "filesLeftOut" | "linesLeftOut"
>;

/** Reads references again when they are too old. */
export interface ReferenceReader {
  /** What came of each, in their order. Rejects only when the signal has fired. */
  read(job: RefreshJob, signal: AbortSignal): Promise<readonly RefreshOutcome[]>;
}

export interface RefreshJob {
  readonly tenantId: string;
  readonly refs: readonly Ref[];
  /** Where paths begin that are not absolute. */
  readonly workspace?: Workspace | undefined;
  /** The hub made that place, and nobody has worked there yet. */
  readonly ownPlace?: boolean | undefined;
}

/** Ids and seeds. In a simulation they come from its own chance. */
export interface Chance {
  uuid(): string;
  /** From zero to 2^32. */
  seed(): number;
}
