import type { VerifiedChanges, WorkAtRisk } from "@baton/kernel";
import type { BranchChange, CommitInLine, Merged, Survey, SurveyJob } from "../../ports/outside.ts";
import { abandonedRef, type Head, type HeadChange, headChanges, readHeads } from "../git/branch-heads.ts";
import { git } from "../git/git.ts";
import { openPrivateGit, type PrivateGit } from "../git/private-git.ts";
import { findRepository, type Repository, textOf } from "../git/repository.ts";
import type { WorkspaceParts } from "../settings.ts";
import { changesIn, takeSnapshot } from "./snapshot.ts";

/** Maximum numbers of branches, commits and files that are described in detail. */
export const surveyLimits = { branches: 50, commits: 50, files: 500 };

/** What a rewind would change in a repository, and which work it would discard. Reads only. */
export async function surveyBranches(
  parts: WorkspaceParts,
  job: SurveyJob,
  signal: AbortSignal,
): Promise<Survey> {
  const found = await findRepository(job.repository, parts.settings.allowed, signal);
  if (!found.ok) return { ok: false, reason: found.reason, fix: found.fix };
  const { repository } = found;
  const privateGit = await openPrivateGit(parts.scratchFolder, repository, signal);
  try {
    const heads = await readHeads(repository, [...job.present.keys(), ...job.past.keys()], signal);
    const changes = headChanges(heads, job.branches);
    const atRisk = changes.flatMap(({ branch, now }): WorkAtRisk[] => {
      const folder = now?.checkedOutIn;
      return folder === undefined ? [] : [{ kind: "checked-out", branch, detail: folder }];
    });
    for (const [branch, head] of heads) {
      const detail = await foreignWork(parts, privateGit, job, branch, head);
      if (detail !== undefined) atRisk.push({ kind: "foreign", branch, detail });
    }
    for (const branch of job.held) {
      const detail = await uncommittedWork(parts, privateGit, branch);
      if (detail !== undefined) atRisk.push({ kind: "uncommitted", branch, detail });
    }
    const branches: BranchChange[] = [];
    for (const [index, change] of changes.entries())
      branches.push(await describe(privateGit, job, change, index < surveyLimits.branches));
    const merged: Merged[] = [];
    for (const { branch, givenUp } of branches) {
      const found = await mergedCommit(repository, givenUp, signal);
      if (found) merged.push({ branch, ...found });
    }
    return { ok: true, branches, atRisk, merged };
  } finally {
    await privateGit.close();
  }
}

/**
 * Commits on a branch of the hub that the hub did not make. Branches that the hub never recorded are not rewound at
 * all.
 */
async function foreignWork(
  { registry }: WorkspaceParts,
  privateGit: PrivateGit,
  { present, past }: SurveyJob,
  branch: string,
  head: Head,
): Promise<string | undefined> {
  const recorded = present.get(branch) ?? past.get(branch);
  if (!recorded) return undefined;
  // The branch is set before the commit is recorded.
  const committedAs = (await registry.find(branch))?.kept?.commit;
  const own = [recorded.startCommit, recorded.commit, past.get(branch)?.commit, committedAs];
  if (own.includes(head.commit)) return undefined;
  const commits = await commitsBetween(privateGit, recorded.commit, head.commit);
  if (commits.length === 0) return `it was set to ${head.commit}`;
  const more = commits.length > 1 ? ` and ${commits.length - 1} before it` : "";
  return `${head.commit.slice(0, 12)} "${commits[0]?.subject}"${more}`;
}

/** The newest abandoned commit that is also on a foreign branch, where the rewind does not remove it. */
async function mergedCommit(
  { gitDir }: Repository,
  abandoned: readonly CommitInLine[],
  signal: AbortSignal,
): Promise<Omit<Merged, "branch"> | undefined> {
  for (const { commit } of abandoned.slice(0, maxSearched)) {
    const args = [`--git-dir=${gitDir}`, "for-each-ref", "--format=%(refname:short)", `--contains=${commit}`];
    const names = textOf(await git({ args: [...args, "refs/heads", "refs/remotes"] }, signal));
    const into = (names ?? "").split("\n").filter((name) => name !== "" && !name.startsWith("baton/"));
    if (into.length > 0) return { commit, into: into.slice(0, maxListed) };
  }
  return undefined;
}

/** Branches are usually merged as a whole, so the newest commits suffice. */
const maxSearched = 3;

/** Changes of a running agent that are not committed yet. */
async function uncommittedWork(
  { registry, settings }: WorkspaceParts,
  privateGit: PrivateGit,
  branch: string,
): Promise<string | undefined> {
  const entry = await registry.find(branch);
  if (!entry || entry.kept) return undefined;
  const snapshot = await takeSnapshot(
    privateGit,
    registry.folderOf(branch),
    entry.startCommit,
    settings.snapshot,
  );
  if (!snapshot.ok) return snapshot.reason;
  const changes = await changesIn(privateGit, entry.startCommit, snapshot);
  const paths = changes?.files.map(({ path }) => path) ?? [];
  if (paths.length === 0) return undefined;
  const more = paths.length > maxListed ? ` and ${paths.length - maxListed} more` : "";
  return `${paths.slice(0, maxListed).join(", ")}${more}`;
}

const maxListed = 10;

async function describe(
  privateGit: PrivateGit,
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
    givenUp: known ? await commitsBetween(privateGit, to, from) : [],
    regained: known ? await commitsBetween(privateGit, from, to) : [],
    files: known ? await filesBetween(privateGit, from, to) : [],
  };
}

/**
 * Commits reachable from `to` and not from `from`, newest first. Subjects stay whole for redaction: half a secret is
 * not recognised.
 */
async function commitsBetween(
  privateGit: PrivateGit,
  from: string,
  to: string,
): Promise<readonly CommitInLine[]> {
  const range = [`--max-count=${surveyLimits.commits}`, to, `^${from}`];
  const run = await privateGit.run(["log", "--no-show-signature", "-z", "--format=%H%x09%s", ...range]);
  if (!run.ok) return [];
  return run.output.split("\0").flatMap((line) => {
    const [commit = "", ...subject] = line.split("\t");
    return commit === "" ? [] : [{ commit, subject: subject.join("\t") }];
  });
}

async function filesBetween(
  privateGit: PrivateGit,
  from: string,
  to: string,
): Promise<VerifiedChanges["files"]> {
  const changes = await changesIn(privateGit, from, { ok: true, tree: to, nestedRepositories: [] });
  return changes?.files.slice(0, surveyLimits.files) ?? [];
}
