import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AllowedWorkspaces } from "../processes/allowed-workspaces.ts";
import { openTextCipher } from "../stores/index.ts";
import { gitWorkspaces } from "./git-workspaces.ts";
import { branches, dirty, fingerprint, gitIn, repository, scratch, write } from "./testing/repositories.ts";

const { signal } = new AbortController();
const nobody = async () => {};

function job(path: string, base: readonly string[] = []) {
  const branch = "baton/p/code/1";
  return {
    dispatchId: "p/code/1",
    stageId: "code",
    attempt: 1,
    repository: path,
    branch,
    base,
    start: undefined,
  };
}

function usePath(path: string): void {
  const before = process.env.PATH;
  onTestFinished(() => {
    process.env.PATH = before;
  });
  process.env.PATH = path;
}

async function prepare(path: string, base: readonly string[] = [], allowed: AllowedWorkspaces = "any") {
  const folder = join(scratch(), "workspaces");
  const workspaces = gitWorkspaces({ folder, allowed });
  return { made: await workspaces.prepare(job(path, base), signal), workspaces, folder };
}

it("refuses a folder in a repository, and names the repository", async () => {
  const path = repository();
  write(path, { "packages/shop/index.js": "" });
  expect(await prepare(join(path, "packages/shop")).then(({ made }) => made)).toEqual({
    ok: false,
    reason: `"${path}/packages/shop" is a folder in the repository ${path}`,
    fix: "abort, and submit the task with the repository itself",
  });
});

/** Kinds of repositories, each with its base commit. */
const usable: readonly [string, () => { readonly path: string; readonly head: string }][] = [
  [
    "that is clean",
    () => {
      const path = repository();
      return { path, head: gitIn(path, "rev-parse", "HEAD") };
    },
  ],
  [
    "with work in progress",
    () => {
      const path = repository();
      const head = gitIn(path, "rev-parse", "HEAD");
      dirty(path);
      return { path, head };
    },
  ],
  [
    "without a branch at its HEAD",
    () => {
      const path = repository();
      gitIn(path, "checkout", "-q", "--detach");
      write(path, { "more.js": "more\n" });
      gitIn(path, "add", ".");
      gitIn(path, "commit", "-qm", "loose");
      return { path, head: gitIn(path, "rev-parse", "HEAD") };
    },
  ],
  [
    "that is bare",
    () => {
      const path = repository();
      gitIn(path, "clone", "-q", "--bare", ".", "../bare.git");
      return { path: join(path, "../bare.git"), head: gitIn(path, "rev-parse", "HEAD") };
    },
  ],
  [
    "with a submodule",
    () => {
      const [path, other] = [repository(), repository()];
      gitIn(path, "-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "lib");
      gitIn(path, "commit", "-qm", "with lib");
      return { path, head: gitIn(path, "rev-parse", "HEAD") };
    },
  ],
  [
    "that is a work tree of another",
    () => {
      const path = repository();
      gitIn(path, "worktree", "add", "-q", "-b", "other", "../other");
      write(join(path, "../other"), { "other.js": "other\n" });
      gitIn(join(path, "../other"), "add", ".");
      gitIn(join(path, "../other"), "commit", "-qm", "other");
      return { path: join(path, "../other"), head: gitIn(path, "rev-parse", "other") };
    },
  ],
  [
    "whose history is cut off",
    () => {
      const path = repository();
      write(path, { "total.js": "2\n" });
      gitIn(path, "commit", "-qam", "two");
      gitIn(path, "clone", "-q", "--depth", "1", `file://${path}`, "../cut");
      return { path: join(path, "../cut"), head: gitIn(path, "rev-parse", "HEAD") };
    },
  ],
  [
    "with longer hashes",
    () => {
      const path = join(scratch(), "long");
      mkdirSync(path);
      gitIn(path, "init", "-q", "--object-format=sha256");
      write(path, { "total.js": "1\n", "src/cart.js": "1\n" });
      gitIn(path, "add", ".");
      gitIn(path, "commit", "-qm", "begin");
      return { path, head: gitIn(path, "rev-parse", "HEAD") };
    },
  ],
  [
    "whose folder has an odd name",
    () => {
      const path = repository();
      gitIn(path, "clone", "-q", ".", '../it\'s a "shop" $HOME #1');
      return { path: join(path, `../it's a "shop" $HOME #1`), head: gitIn(path, "rev-parse", "HEAD") };
    },
  ],
];

describe("a workspace of a repository", () => {
  it.each(usable)("[PIP-06] %s, and what is done there is kept", async (_, make) => {
    const { path, head } = make();
    const before = fingerprint(path);
    const { made, workspaces } = await prepare(path);
    if (!made.ok) throw new Error(made.reason);
    expect(made).toMatchObject({ baseCommit: head, startCommit: head, branch: "baton/p/code/1" });
    expect(gitIn(made.path, "rev-parse", "HEAD", "--abbrev-ref", "HEAD")).toBe(`${head}\nbaton/p/code/1`);
    expect(gitIn(made.path, "status", "--porcelain")).toBe("");
    write(made.path, { "total.js": "done\n" });
    gitIn(made.path, "commit", "-qam", "by the agent");
    write(made.path, { "src/new.js": "done\n" });
    const look = { workspace: { repository: path }, artifacts: [], place: { attempt: 1, ...made } };
    const left = await workspaces.look(look as unknown as Parameters<typeof workspaces.look>[0], signal);
    expect(left.unseen).toBeUndefined();
    expect(left.changes?.files.map((file) => file.path).toSorted()).toEqual(["src/new.js", "total.js"]);
    const messages = gitIn(path, "log", "--format=%an %s", `${head}..${left.commit}`).split("\n");
    expect(messages).toEqual(["Baton Work of the agent on baton/p/code/1", "Ada by the agent"]);
    await workspaces.release({ ...job(path), completed: true }, signal, nobody);
    expect(existsSync(made.path)).toBe(false);
    expect(gitIn(path, "rev-parse", "baton/p/code/1")).toBe(left.commit);
    expect(fingerprint(path)).toEqual(before);
  });

  it.each<[string, () => string, readonly string[], RegExp]>([
    [
      "that has no commit",
      () => {
        const folder = scratch();
        gitIn(folder, "init", "-q");
        return folder;
      },
      [],
      /has no commit to start from/,
    ],
    ["that is none", () => scratch(), [], /is not a git repository/],
    ["that does not exist", () => "/nowhere/at/all", [], /the hub cannot read the folder/],
    [
      "that is a file",
      () => {
        const path = join(scratch(), "file");
        writeFileSync(path, "");
        return path;
      },
      [],
      /the hub cannot read the folder/,
    ],
    ["that lacks the commit", () => repository(), ["0123456789"], /has no commit "0123456789"/],
    ["whose commit is an option", () => repository(), ["--all"], /has no commit "--all"/],
    [
      "with a branch in the way",
      () => {
        const path = repository();
        gitIn(path, "branch", "baton");
        return path;
      },
      [],
      /the branch "baton\/p\/code\/1" cannot be written/,
    ],
    [
      "with something missing in it",
      () => {
        const path = repository();
        const blob = gitIn(path, "rev-parse", "HEAD:total.js");
        rmSync(join(path, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
        return path;
      },
      [],
      /could not be put into|cannot be|is unknown/,
    ],
  ])("[PIP-06] is refused for one %s, with the reason", async (_, make, base, reason) => {
    const path = make();
    const { made, folder } = await prepare(path, base);
    expect(made).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
    expect(made.ok ? "" : made.fix).not.toBe("");
    expect(existsSync(join(folder, "places/p/code/1.json"))).toBe(false);
  });

  it("[PIP-06] fails without git, with reason and fix", async () => {
    const shop = repository();
    usePath(scratch());
    expect((await prepare(shop)).made).toEqual({
      ok: false,
      reason: "git is not installed on the hub's machine, or is not on its PATH",
      fix: "install git there, and answer with retry",
    });
  });

  it("[PIP-06] fails when its size is unknown", async () => {
    const shop = repository();
    const bin = scratch();
    const script = `#!/bin/sh
      for word in "$@"; do [ "$word" = ls-tree ] && { echo "no such option" >&2; exit 129; }; done
      PATH='${process.env.PATH}' exec git "$@"`;
    writeFileSync(join(bin, "git"), script, { mode: 0o755 });
    usePath(`${bin}:${process.env.PATH}`);
    const { made, folder } = await prepare(shop);
    expect(made).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/size .* is unknown: no such/),
    });
    expect(existsSync(join(folder, "places/p/code/1.json"))).toBe(false);
  });

  it("[PIP-06] fails outside of the allowed folders, for the folder and for its repository", async () => {
    const shop = repository();
    const refused = {
      ok: false,
      reason: expect.stringContaining("outside the folders of evidence.workspaces"),
    };
    expect((await prepare(shop, [], [scratch()])).made).toMatchObject(refused);
    expect((await prepare(join(shop, "src"), [], [join(shop, "src")])).made).toMatchObject(refused);
    expect((await prepare(shop, [], [])).made).toMatchObject(refused);
    expect((await prepare(shop, [], [shop])).made).toMatchObject({ ok: true });
    expect(branches(shop)).toEqual(["baton/p/code/1"]);
  });

  it("[PIP-11] fails where the hub cannot write, and the hub continues", async () => {
    const shop = repository();
    for (const folder of ["/dev/null/baton", join(shop, "total.js")]) {
      const made = await gitWorkspaces({ folder }).prepare(job(shop), signal);
      expect(made).toMatchObject({
        ok: false,
        reason: expect.stringContaining(`it cannot be created in ${folder}`),
      });
    }
  });

  it("[PIP-11] is prepared once for repeated and concurrent requests, and after a partial preparation", async () => {
    const shop = repository();
    const folder = join(scratch(), "workspaces");
    write(folder, { "places/p/code/1/half/made": "", "places/p/code/1.json.new": "{" });
    const workspaces = gitWorkspaces({ folder });
    const [one, two] = await Promise.all([1, 2].map(() => workspaces.prepare(job(shop), signal)));
    expect(one).toMatchObject({ ok: true });
    expect(two).toEqual(one);
    write(folder, { "places/p/code/1/work.js": "in progress\n" });
    write(shop, { "total.js": "moved on\n" });
    gitIn(shop, "commit", "-qam", "moved on");
    expect(await gitWorkspaces({ folder }).prepare(job(shop), signal)).toEqual(one);
    expect(existsSync(join(folder, "places/p/code/1/work.js"))).toBe(true);
    expect(existsSync(join(folder, "places/p/code/1/half"))).toBe(false);
  });

  it("[OBS-05] [PIP-11] has an encrypted entry, by which it is found after a restart", async () => {
    const shop = repository();
    const [folder, data] = [join(scratch(), "workspaces"), join(scratch(), "data")];
    const restarted = () => gitWorkspaces({ folder, cipher: openTextCipher(data) });
    const noteOf = () => readFileSync(join(folder, "places/p/code/1.json"), "utf8");
    const made = await restarted().prepare(job(shop), signal);
    expect(made).toMatchObject({ ok: true });
    expect(noteOf()).not.toContain("baton/p/code/1");
    expect(noteOf()).toMatch(/^[\w-]+$/);
    expect(await restarted().prepare(job(shop), signal)).toEqual(made);

    // Entries of older versions are plain text and still read.
    const open = openTextCipher(data).decrypt(noteOf()) ?? "";
    expect(JSON.parse(open)).toMatchObject({ branch: "baton/p/code/1" });
    write(folder, { "places/p/code/1.json": open, "places/p/code/1/work.js": "in progress\n" });
    expect(await restarted().prepare(job(shop), signal)).toEqual(made);
    expect(existsSync(join(folder, "places/p/code/1/work.js"))).toBe(true);
  });

  it("[PIP-06] does not move a branch that its user has checked out", async () => {
    const shop = repository();
    const { made, workspaces } = await prepare(shop);
    if (!made.ok) throw new Error(made.reason);
    gitIn(shop, "checkout", "-q", made.branch);
    write(made.path, { "total.js": "done\n" });
    const look = { workspace: { repository: shop }, artifacts: [], place: { attempt: 1, ...made } };
    const left = await workspaces.look(look as unknown as Parameters<typeof workspaces.look>[0], signal);
    expect(gitIn(shop, "status", "--porcelain")).toBe("");
    expect(gitIn(shop, "rev-parse", made.branch)).toBe(made.baseCommit);
    expect(gitIn(shop, "rev-parse", `${made.branch}-kept`)).toBe(left.commit);
  });
});

describe("workspaces of ended attempts", () => {
  async function released(keep: "never" | "failed" | "always", completed: boolean) {
    const shop = repository();
    const folder = join(scratch(), "workspaces");
    let nowMs = Date.now();
    const workspaces = gitWorkspaces({ folder, keep, keepForMs: 1_000, nowMs: () => nowMs });
    await workspaces.prepare(job(shop), signal);
    write(folder, { "places/p/code/1/total.js": "left\n" });
    await workspaces.release({ ...job(shop), completed }, signal, nobody);
    const isThere = () => existsSync(join(folder, "places/p/code/1"));
    const after = isThere();
    nowMs += 2_000;
    await workspaces.prepare({ ...job(shop), branch: "baton/p/code/2" }, signal);
    return { after, later: isThere(), shop };
  }

  it.each([
    ["never", true, false],
    ["never", false, false],
    ["failed", true, false],
    ["failed", false, true],
    ["always", true, true],
    ["always", false, true],
  ] as const)("[PIP-06] go by policy: %s, completed %s, stays %s", async (keep, completed, stays) => {
    const { after, later, shop } = await released(keep, completed);
    expect(after).toBe(stays);
    expect(later).toBe(false);
    expect(gitIn(shop, "show", "baton/p/code/1:total.js")).toBe("left");
  });

  it("[PIP-06] leave no branch when nothing was committed", async () => {
    const shop = repository();
    const { workspaces } = await prepare(shop);
    await workspaces.release({ ...job(shop), completed: true }, signal, nobody);
    expect(branches(shop)).toEqual([]);
  });

  it("[PIP-11] are removed at the next start; those in use stay", async () => {
    const shop = repository();
    const folder = join(scratch(), "workspaces");
    const first = gitWorkspaces({ folder, nowMs: () => Date.now() - 60_000 });
    for (const attempt of [1, 2])
      await first.prepare({ ...job(shop), branch: `baton/p/code/${attempt}` }, signal);
    write(folder, { "scratch/old/git-1/git/config": "", "places/p/half/3/file": "" });
    const next = gitWorkspaces({ folder, keep: "never", nowMs: () => Date.now() + 60_000 });
    const closing = new AbortController();
    await next.tidy(new Set(["baton/p/code/2"]), closing.signal, nobody);
    closing.abort();
    expect(readdirSync(join(folder, "places/p/code"))).toEqual(["2", "2.json"]);
    expect(existsSync(join(folder, "places/p/half"))).toBe(false);
    expect(existsSync(join(folder, "desks/old"))).toBe(false);
  });

  it("[PIP-06] are removed when the quota is reached, the oldest first; those in use stay, and the reason is reported", async () => {
    const shop = repository();
    const folder = join(scratch(), "workspaces");
    let nowMs = Date.now();
    const workspaces = gitWorkspaces({ folder, keep: "always", maxWorkspaces: 2, nowMs: () => nowMs++ });
    const at = (attempt: number) => ({ ...job(shop), branch: `baton/p/code/${attempt}` });
    for (const attempt of [1, 2, 3]) {
      expect(await workspaces.prepare(at(attempt), signal)).toMatchObject({ ok: true });
      if (attempt < 3) await workspaces.release({ ...at(attempt), completed: true }, signal, nobody);
    }
    expect(existsSync(join(folder, "places/p/code/1"))).toBe(false);
    expect(existsSync(join(folder, "places/p/code/2"))).toBe(true);
    expect(await workspaces.prepare(at(4), signal)).toMatchObject({ ok: true });
    expect(await workspaces.prepare(at(5), signal)).toMatchObject({
      ok: false,
      reason: "agents use 2 of at most 2 workspaces",
    });
  });

  it("[PIP-06] above the size limit are refused", async () => {
    const shop = repository();
    const folder = join(scratch(), "workspaces");
    expect(await gitWorkspaces({ folder, maxWorkspaceBytes: 10 }).prepare(job(shop), signal)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("the limit of a workspace is 10"),
    });
  });
});
