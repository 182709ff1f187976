import type { VerifiedChanges, WorkAtRisk } from "@baton/kernel";
import type { BranchChange, CommitInLine, Survey, SurveyJob } from "../ports/outside.ts";
import { type Desk, openDesk } from "./desk.ts";
import { abandonedRef, type Head, type HeadChange, headChanges, readHeads } from "./heads.ts";
import { findRepository } from "./repository.ts";
import type { WorkspaceParts } from "./settings.ts";
import { changesIn, takeSnapshot } from "./snapshot.ts";

/** Of more branches, commits and files only the first are shown one by one. */
export const surveyLimits = { branches: 50, commits: 50, files: 500 };

/** What a rewind would change in a repository, and what it would go over. Nothing is changed. */
export async function surveyBranches(
  parts: WorkspaceParts,
  job: SurveyJob,
  signal: AbortSignal,
): Promise<Survey> {
  const found = await findRepository(job.repository, parts.settings.allowed, signal);
  if (!found.ok) return { ok: false, reason: found.reason, fix: found.fix };
  const { repository } = found;
  const desk = await openDesk(parts.desks, repository, signal);
  try {
    const heads = await readHeads(repository, [...job.present.keys(), ...job.past.keys()], signal);
    const changes = headChanges(heads, job.branches);
    const atRisk = changes.flatMap(({ branch, now }): WorkAtRisk[] => {
      const folder = now?.checkedOutIn;
      return folder === undefined ? [] : [{ kind: "checked-out", branch, detail: folder }];
    });
    for (const [branch, head] of heads) {
      const detail = await foreignWork(parts, desk, job, branch, head);
      if (detail !== undefined) atRisk.push({ kind: "foreign", branch, detail });
    }
    for (const branch of job.held) {
      const detail = await uncommittedWork(parts, desk, branch);
      if (detail !== undefined) atRisk.push({ kind: "uncommitted", branch, detail });
    }
    const branches: BranchChange[] = [];
    for (const [place, change] of changes.entries())
      branches.push(await describe(desk, job, change, place < surveyLimits.branches));
    return { ok: true, branches, atRisk };
  } finally {
    await desk.close();
  }
}

/** A branch of the hub that stands where the hub did not set it. One that the hub does not know is not touched at all. */
async function foreignWork(
  { places }: WorkspaceParts,
  desk: Desk,
  { present, past }: SurveyJob,
  branch: string,
  head: Head,
): Promise<string | undefined> {
  const recorded = present.get(branch) ?? past.get(branch);
  if (!recorded) return undefined;
  // What was kept of an attempt is set before it is recorded.
  const kept = (await places.note(branch))?.kept?.commit;
  const own = [recorded.startCommit, recorded.commit, past.get(branch)?.commit, kept];
  if (own.includes(head.commit)) return undefined;
  const commits = await commitsBetween(desk, recorded.commit, head.commit);
  if (commits.length === 0) return `it was set to ${head.commit}`;
  const more = commits.length > 1 ? ` and ${commits.length - 1} before it` : "";
  return `${head.commit.slice(0, 12)} "${commits[0]?.subject}"${more}`;
}

/** What the agent that is at work there has changed so far. */
async function uncommittedWork(
  { places, settings }: WorkspaceParts,
  desk: Desk,
  branch: string,
): Promise<string | undefined> {
  const note = await places.note(branch);
  if (!note || note.kept) return undefined;
  const snapshot = await takeSnapshot(desk, places.folderOf(branch), note.startCommit, settings.snapshot);
  if (!snapshot.ok) return snapshot.reason;
  const changes = await changesIn(desk, note.startCommit, snapshot);
  const paths = changes?.files.map(({ path }) => path) ?? [];
  if (paths.length === 0) return undefined;
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
  return `${paths.slice(0, mostNamed).join(", ")}${more}`;
}

const mostNamed = 10;

async function describe(
  desk: Desk,
  { present, past, abandoned }: SurveyJob,
  { branch, now, target: commitThen }: HeadChange,
  isDetailed: boolean,
): Promise<BranchChange> {
  const commitNow = now?.commit;
  const start = (past.get(branch) ?? present.get(branch))?.startCommit;
  const [from, to] = [commitNow ?? start, commitThen ?? start];
  const known = isDetailed && from !== undefined && to !== undefined;
  return {
    ...{ branch, commitNow, commitThen },
    keptAs: commitNow === undefined ? undefined : abandonedRef(branch, abandoned),
    givenUp: known ? await commitsBetween(desk, to, from) : [],
    regained: known ? await commitsBetween(desk, from, to) : [],
    files: known ? await filesBetween(desk, from, to) : [],
  };
}

/**
 * Commits that one has and the other has not, newest first. Subjects are handed over whole: half a secret does not look
 * like one.
 */
async function commitsBetween(desk: Desk, from: string, to: string): Promise<readonly CommitInLine[]> {
  const range = [`--max-count=${surveyLimits.commits}`, to, `^${from}`];
  const run = await desk.git(["log", "--no-show-signature", "-z", "--format=%H%x09%s", ...range]);
  if (!run.ok) return [];
  return run.output.split("\0").flatMap((line) => {
    const [commit = "", ...subject] = line.split("\t");
    return commit === "" ? [] : [{ commit, subject: subject.join("\t") }];
  });
}

async function filesBetween(desk: Desk, from: string, to: string): Promise<VerifiedChanges["files"]> {
  const changes = await changesIn(desk, from, { ok: true, tree: to, inner: [] });
  return changes?.files.slice(0, surveyLimits.files) ?? [];
}
