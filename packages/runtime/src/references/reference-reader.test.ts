import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { RefSchema, RefType, WorkspaceSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { eventually, settles } from "../../testing/eventually.ts";
import { type ReferenceReaderOptions, referenceReader } from "./reference-reader.ts";

type RefInit = MessageInitShape<typeof RefSchema>;

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "baton-references-")));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function sha256(content: string | Buffer): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

/** What comes of references: digest and version, or the reason. */
async function read(
  refs: readonly RefInit[],
  options: ReferenceReaderOptions = {},
  workspace?: string,
): Promise<readonly (readonly [string, string] | string)[]> {
  const outcomes = await settles(
    referenceReader(options).read(
      {
        tenantId: "acme",
        refs: refs.map((ref) => create(RefSchema, ref)),
        ...(workspace !== undefined && { workspace: create(WorkspaceSchema, { repository: workspace }) }),
      },
      new AbortController().signal,
    ),
    "references to be read",
  );
  return outcomes.map((one) => (one.ok ? [one.digest, one.versionOrSha] : one.reason));
}

const file = (uriOrLocator: string, versionOrSha = "") => ({
  uriOrLocator,
  versionOrSha,
  refType: RefType.FILE,
});
const notThere = "it does not exist, or is outside the folders that the hub may read";

describe("a file", () => {
  it("[DIS-11] is read and digested; its version is the time of its last change", async () => {
    const home = folder();
    writeFileSync(join(home, "it.bin"), Buffer.from([0, 255, 10]));
    utimesSync(join(home, "it.bin"), 0, 1_700_000_000);
    const expected = [sha256(Buffer.from([0, 255, 10])), "2023-11-14T22:13:20.000Z"];
    const path = join(home, "it.bin");
    const refs = [file(path), file(pathToFileURL(path).href), file("it.bin"), { uriOrLocator: path }];
    expect(await read(refs, { folders: [home] }, home)).toEqual([expected, expected, expected, expected]);
  });

  it("[DIS-11] is stamped with the time at which reading began", async () => {
    const home = folder();
    writeFileSync(join(home, "it"), "it");
    const before = Date.now();
    const refs = [create(RefSchema, file(join(home, "it")))];
    const [one] = await referenceReader().read({ tenantId: "acme", refs }, new AbortController().signal);
    if (!one?.ok) throw new Error(one?.reason);
    expect(one.fetchedAtMs).toBeGreaterThanOrEqual(before);
    expect(one.fetchedAtMs).toBeLessThanOrEqual(Date.now());
  });

  it("[DIS-11] that was read before is read again as it is now", async () => {
    const home = folder();
    writeFileSync(join(home, "it"), "new");
    const [found] = await read([file(join(home, "it"), "2020-01-01T00:00:00.000Z")]);
    expect(found?.[0]).toBe(sha256("new"));
  });

  it("[DIS-11] lies in one of the folders, wherever links lead; the existence of others is not disclosed", async () => {
    const home = folder();
    const other = folder();
    mkdirSync(join(home, "work"));
    writeFileSync(join(other, "secret"), "secret");
    writeFileSync(join(home, "beside"), "beside");
    symlinkSync(join(other, "secret"), join(home, "work/link"));
    symlinkSync(other, join(home, "work/folder"));
    symlinkSync("..", join(home, "work/up"));
    symlinkSync("loop", join(home, "work/loop"));
    const work = join(home, "work");
    const absolute = [
      ...[join(other, "secret"), join(other, "nothing"), join(home, "beside"), join(work, "nothing")],
      ...[join(work, "link"), join(work, "folder/secret"), join(work, "up/beside"), join(work, "loop")],
      ...[`${work}/../beside`, `${work}x`, "/etc/passwd", "/proc/self/environ"],
      pathToFileURL(join(other, "secret")).href,
    ];
    const relative = [
      "../beside",
      "link",
      "folder/secret",
      "up/beside",
      "./../beside",
      "a/../../beside",
      "..",
      "WORK/x",
    ];
    const found = await read(
      [...absolute, ...relative].map((path) => file(path)),
      { folders: [work] },
      work,
    );
    expect(new Set(found)).toEqual(new Set([notThere]));
  });

  it("[DIS-11] of other folders is never read, however it is named", async () => {
    const home = folder();
    const work = join(home, "work");
    mkdirSync(join(work, "a/b"), { recursive: true });
    writeFileSync(join(home, "secret"), "secret");
    writeFileSync(join(work, "a/plain"), "plain");
    symlinkSync("../..", join(work, "a/up"));
    symlinkSync("../secret", join(work, "link"));
    symlinkSync(work, join(work, "a/b/home"));
    const reader = referenceReader({ folders: [work] });
    const { signal } = new AbortController();
    const part = fc.constantFrom(
      "..",
      ".",
      "",
      "a",
      "b",
      "up",
      "home",
      "link",
      "secret",
      "plain",
      "work",
      "%2e%2e",
    );
    const refTypes = fc.constantFrom(RefType.FILE, RefType.ARTIFACT, RefType.UNSPECIFIED);
    const prefixes = fc.constantFrom("", `${work}/`, `${home}/`, `file://${work}/`, `file://${home}/`, "/");
    await fc.assert(
      fc.asyncProperty(
        prefixes,
        fc.array(part, { maxLength: 6 }),
        refTypes,
        async (prefix, parts, refType) => {
          const refs = [create(RefSchema, { uriOrLocator: `${prefix}${parts.join("/")}`, refType })];
          const workspace = create(WorkspaceSchema, { repository: work });
          const [outcome] = await reader.read({ tenantId: "acme", refs, workspace }, signal);
          expect(outcome).not.toMatchObject({ digest: sha256("secret") });
        },
      ),
      { numRuns: 500 },
    );
  });

  it("[DIS-11] may be reached by links that stay inside", async () => {
    const home = folder();
    writeFileSync(join(home, "it"), "it");
    symlinkSync("it", join(home, "link"));
    const linked = join(folder(), "home");
    symlinkSync(home, linked);
    const found = await read([file("link"), file(join(linked, "it"))], { folders: [linked] }, linked);
    expect(found.map((one) => one[0])).toEqual([sha256("it"), sha256("it")]);
  });

  it("[DIS-11] in the workspace does not lead to other folders that may be read as well", async () => {
    const home = folder();
    const other = folder();
    writeFileSync(join(other, "it"), "it");
    symlinkSync(other, join(home, "other"));
    expect(await read([file("other/it")], { folders: [home, other] }, home)).toEqual([notThere]);
  });

  it("[DIS-11] is read nowhere when no folder is named", async () => {
    const home = folder();
    writeFileSync(join(home, "it"), "it");
    const found = await read([file(join(home, "it")), file("it")], { folders: [] }, home);
    expect(found).toEqual([notThere, notThere]);
  });

  it.each([
    ["src/it.ts", "the path is relative, and the task has no workspace"],
    ["/it\0", "it is not a path"],
    ["file://elsewhere/it", "it is not a path"],
    ["file:///a%2Fb", "it is not a path"],
    ["file:///a%00b", "it is not a path"],
    ["/surely/not/there", "it does not exist"],
  ])("[DIS-11] %j is not one", async (path, reason) => {
    expect(await read([file(path)])).toEqual([reason]);
  });

  it("[DIS-11] is a regular one: neither folders nor devices nor pipes that nobody writes to are read", async () => {
    const home = folder();
    execFileSync("mkfifo", [join(home, "pipe")]);
    symlinkSync("pipe", join(home, "link"));
    const refs = [home, "/dev/zero", "/dev/null", join(home, "pipe"), join(home, "link")].map((path) =>
      file(path),
    );
    const found = await read(refs);
    expect(new Set(found)).toEqual(new Set(["it is not a regular file"]));
  });

  it("[DIS-11] is not read when it is too large, though it takes no room", async () => {
    const home = folder();
    writeFileSync(join(home, "large"), "");
    truncateSync(join(home, "large"), 2 ** 40);
    writeFileSync(join(home, "fits"), "12345678");
    const refs = [file(join(home, "large")), file(join(home, "fits"))];
    expect(await read(refs, { limits: { fileBytes: 8 } })).toEqual([
      "it has more than 8 bytes",
      [sha256("12345678"), expect.any(String)],
    ]);
  });

  it.runIf(existsSync("/proc/self/stat"))(
    "[DIS-11] that lies about its size, as those of the system do, is not read",
    async () => {
      expect(await read([file("/proc/self/stat")])).toEqual(["it changed while it was read"]);
    },
  );
});

/** A repository with two commits of one file. */
function repository() {
  const home = folder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: home })
      .toString()
      .trim();
  git("init", "-q", "-b", "main");
  mkdirSync(join(home, "src"));
  const commit = (content: string) => {
    writeFileSync(join(home, "src/it.ts"), content);
    git("add", ".");
    git("commit", "-qm", content);
    return git("rev-parse", "HEAD");
  };
  const ids = { first: commit("first"), second: commit("second") };
  const raw = (id: string) => execFileSync("git", ["cat-file", "commit", id], { cwd: home });
  return { home, git, raw, ...ids };
}

const commitRef = (uriOrLocator: string, versionOrSha = "") => ({
  ...{ uriOrLocator, versionOrSha, refType: RefType.COMMIT },
});

describe("a commit", () => {
  it("[DIS-11] is found by id, by its beginning, by branch and tag; its digest is that of its object", async () => {
    const { home, git, raw, first, second } = repository();
    git("tag", "-am", "one", "v1", first);
    const refs = [
      ...[first, first.slice(0, 8), "v1", "main~1", "", "main"].map((revision) => commitRef(home, revision)),
      ...[commitRef(first.slice(0, 8)), commitRef(second), commitRef(".", "HEAD"), commitRef("src", second)],
    ];
    const one = [sha256(raw(first)), first];
    const two = [sha256(raw(second)), second];
    const found = await read(refs, { folders: [home] }, home);
    expect(found).toEqual([one, one, one, one, two, two, one, two, two, two]);
  });

  it.each([
    "0".repeat(40),
    "nobody",
    "--all",
    "-h",
    "main:src/it.ts",
    "a\nb",
    "a".repeat(5_000),
    "main^{tree}",
  ])("[DIS-11] is reported missing: %j", async (revision) => {
    const [found] = await read([commitRef(repository().home, revision)]);
    expect(found).toMatch(/^the repository has no such commit$|^its locator or version is longer/);
  });

  it("[DIS-11] is not looked for where the hub may not read, or where there is no repository", async () => {
    const { home, first } = repository();
    expect(await read([commitRef(home, first)], { folders: [folder()] })).toEqual([notThere]);
    expect(await read([commitRef(join(home, "src"), first)], { folders: [join(home, "src")] })).toEqual([
      "its git repository is outside the folders that the hub may read",
    ]);
    expect(await read([commitRef(folder(), first), commitRef("https://example.com/it.git", first)])).toEqual([
      "it is not in a readable git repository",
      "the path is relative, and the task has no workspace",
    ]);
  });

  it("[DIS-11] is not read from a repository elsewhere that a folder claims for its own", async () => {
    const { home: secret } = repository();
    const home = folder();
    writeFileSync(join(home, ".git"), `gitdir: ${join(secret, ".git")}\n`);
    expect(await read([commitRef(home, "HEAD")], { folders: [home] })).toEqual([
      "its git repository is outside the folders that the hub may read",
    ]);
  });

  it("[DIS-11] is what its id says, also when the repository has another one in its place", async () => {
    const { home, git, raw, first, second } = repository();
    const genuine = [[sha256(raw(first)), first]];
    git("replace", first, second);
    expect(await read([commitRef(home, first)])).toEqual(genuine);
  });

  it("[DIS-11] is read without running anything from the folder", async () => {
    const { home, git, first } = repository();
    const ran = join(home, "ran");
    git("config", "core.fsmonitor", `touch ${ran}`);
    git("config", "core.pager", `touch ${ran}`);
    git("config", "extensions.partialClone", "evil");
    git("config", "remote.evil.promisor", "true");
    git("config", "remote.evil.url", `ext::sh -c "touch ${ran}"`);
    git("config", "protocol.ext.allow", "always");
    await read([
      commitRef(home, first),
      commitRef(home, "1".repeat(40)),
      file(join(home, "src/it.ts"), "main"),
    ]);
    expect(() => readFileSync(ran)).toThrow("ENOENT");
  });

  it("[DIS-11] is read with a git that has no protocol to fetch with", async () => {
    const { home, first } = repository();
    const bin = folder();
    const log = join(bin, "log");
    const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
    writeFileSync(join(bin, "git"), `#!/bin/sh\necho "$GIT_ALLOW_PROTOCOL" >> ${log}\nexec ${real} "$@"\n`, {
      mode: 0o755,
    });
    vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    await read([commitRef(home, first), file(join(home, "src/it.ts"), "main")]);
    const seen = readFileSync(log, "utf8").trimEnd().split("\n");
    expect(new Set(seen)).toEqual(new Set(["none"]));
  });
});

describe("a file at a commit", () => {
  it("[DIS-11] is read as the commit has it, also when the disk has it no more", async () => {
    const { home, first, second } = repository();
    rmSync(join(home, "src"), { recursive: true });
    const refs = [file("src/it.ts", first), file(join(home, "src/it.ts"), "main")];
    expect(await read(refs, { folders: [home] }, home)).toEqual([
      [sha256("first"), first],
      [sha256("second"), second],
    ]);
  });

  it.each([
    ["src/none.ts", "main", "the commit has no such file"],
    ["src", "main", "the commit has no such file"],
    ["src/*.ts", "main", "the commit has no such file"],
    ["src/link", "main", "the commit has no such file"],
    ["../it.ts", "main", notThere],
    ["src/it.ts", "v9", "the repository has no such commit"],
  ])("[DIS-11] is reported missing: %s at %s", async (path, revision, reason) => {
    const { home, git } = repository();
    symlinkSync("it.ts", join(home, "src/link"));
    git("add", ".");
    git("commit", "-qm", "link");
    expect(await read([file(path, revision)], { folders: [home] }, home)).toEqual([reason]);
  });

  it("[DIS-11] matches its id: a forged one is reported", async () => {
    const { home, git, first, second } = repository();
    const object = (commit: string) => {
      const id = git("rev-parse", `${commit}:src/it.ts`);
      return join(home, ".git/objects", id.slice(0, 2), id.slice(2));
    };
    rmSync(object(first));
    linkSync(object(second), object(first));
    expect(await read([file("src/it.ts", first), file("src/it.ts", second)], {}, home)).toEqual([
      "the object in the repository does not match its id",
      [sha256("second"), second],
    ]);
  });
});

describe("an artifact", () => {
  const artifact = (uriOrLocator: string, versionOrSha: string, digest: string) => ({
    ...{ uriOrLocator, versionOrSha, digest, refType: RefType.ARTIFACT },
  });

  it("[DIS-11] is read from the commit that its stage made, or from the workspace", async () => {
    const { home, first } = repository();
    const refs = [
      artifact("src/it.ts", first, sha256("first")),
      artifact("src/it.ts", "", sha256("second").toUpperCase().replace("SHA256", "sha256")),
      artifact("src/it.ts", "", ""),
    ];
    expect(await read(refs, { folders: [home] }, home)).toEqual([
      [sha256("first"), first],
      [sha256("second"), expect.any(String)],
      [sha256("second"), expect.any(String)],
    ]);
  });

  it("[DIS-11] is named by an agent: its path stays in the workspace, and no link is followed", async () => {
    const { home, first } = repository();
    const other = folder();
    writeFileSync(join(other, "secret"), "secret");
    symlinkSync(join(other, "secret"), join(home, "link"));
    symlinkSync("src/it.ts", join(home, "inside"));
    const paths = [
      "../secret",
      join(other, "secret"),
      "link",
      "inside",
      ".git/config",
      "src\\it.ts",
      "",
      "src",
    ];
    const refs = paths.flatMap((path) => [artifact(path, "", ""), artifact(path, first, "")]);
    const found = await read(refs, { folders: [home, other] }, home);
    expect(found.map((one) => typeof one)).toEqual(refs.map(() => "string"));
  });

  it("[DIS-11] is the original content: other content is reported", async () => {
    const { home, first } = repository();
    const refs = [
      artifact("src/it.ts", first, sha256("claimed")),
      artifact("src/it.ts", "", sha256("first")),
    ];
    expect(await read(refs, { folders: [home] }, home)).toEqual([
      `its content has changed: its digest is ${sha256("first")}`,
      `its content has changed: its digest is ${sha256("second")}`,
    ]);
  });
});

describe("a record of a database", () => {
  const program = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
  const records = (...command: readonly string[]) => ({
    records: new Map([["crm", { command: [process.execPath, "-e", ...command], directory: tmpdir() }]]),
  });
  const record = (uriOrLocator: string, versionOrSha = "") => ({
    ...{ uriOrLocator, versionOrSha, refType: RefType.DB_RECORD },
  });

  it("[DIS-11] is what the operator's command prints; what the locator says is one argument and nothing else", async () => {
    const options = records(program, "--", "{locator}", "--version={version}", "{tenant}", "{other}");
    const wild = "customers/42'; DROP TABLE x; -- $(touch /tmp/x) `id` {tenant} \"";
    expect(await read([record(`crm:${wild}`, "7")], options)).toEqual([
      [sha256(JSON.stringify([wild, "--version=7", "acme", "{other}"])), "7"],
    ]);
  });

  it.each([
    [["sh", "-c", "cat {locator}"]],
    [["sh", "-c", "{locator}"]],
    [["bash", "-lc", "{locator}"]],
    [["psql", "--command={locator}"]],
    [["psql", "--command", "{locator}"]],
    [[process.execPath, "-p", "{locator}"]],
    [["{locator}"]],
  ])("[DIS-11] is not read by a command that would execute its locator: %j", async (command) => {
    const unsafe = new Map([["crm", { command, directory: tmpdir() }]]);
    expect(await read([record("crm:id")], { records: unsafe })).toEqual(["its command is not safe to run"]);
  });

  it("[DIS-11] may be read by a script of a shell that takes the locator as an argument", async () => {
    const command = ["sh", "-c", 'printf %s "$1"', "sh", "{locator}"];
    const safe = new Map([["crm", { command, directory: tmpdir() }]]);
    expect(await read([record("crm:$(id)")], { records: safe })).toEqual([[sha256("$(id)"), ""]]);
  });

  it.each([
    ["crm", "the hub has no command for such records"],
    ["crm:", "the hub has no command for such records"],
    [":42", "the hub has no command for such records"],
    ["erp:42", "the hub has no command for such records"],
    ["constructor:42", "the hub has no command for such records"],
    ["crm:--help", "its locator begins with a hyphen and could be taken for an option"],
    ["crm:4\x002", "its locator cannot be passed to a program"],
  ])("[DIS-11] is not asked for by %j", async (locator, reason) => {
    expect(await read([record(locator)], records(program, "--", "{locator}"))).toEqual([reason]);
  });

  it.each([
    ["fails", "console.log('half'); console.error('secret'); process.exit(3)", "its command exited with 3"],
    ["prints nothing", "", "its command printed nothing: the record does not exist"],
    ["prints too much", "for (;;) process.stdout.write('x'.repeat(65536))", "it has more than 100 bytes"],
  ])("[DIS-11] is not read when the command %s", async (_, code, reason) => {
    expect(await read([record("crm:42")], { ...records(code), limits: { recordBytes: 100 } })).toEqual([
      reason,
    ]);
  });

  it("[DIS-11] is not read when there is no such program", async () => {
    const missing = new Map([["crm", { command: ["surely-not-a-program"], directory: tmpdir() }]]);
    expect(await read([record("crm:42")], { records: missing })).toEqual(["its command could not start"]);
  });

  it("[DIS-11] does not learn the hub's secrets, and what warns of errors is no part of it", async () => {
    process.env.BATON_TEST_SECRET = "secret";
    onTestFinished(() => void delete process.env.BATON_TEST_SECRET);
    const code = "console.error('warning'); process.stdout.write(String(process.env.BATON_TEST_SECRET))";
    expect(await read([record("crm:42")], records(code))).toEqual([[sha256("undefined"), ""]]);
  });

  it("[DIS-11] has its time and no more, and what the command started ends with it", async () => {
    const home = folder();
    const pid = join(home, "pid");
    const code = `
      const child = require("child_process").spawn("sleep", ["600"]);
      require("fs").writeFileSync(${JSON.stringify(pid)}, String(child.pid));
      setInterval(() => {}, 1000);`;
    const [reason] = await read([record("crm:42")], { ...records(code), limits: { timeoutMs: 1_500 } });
    expect(reason).toMatch(/^it was not read within 1\.5 s$|^its command took longer than 1\.5 s$/);
    const started = Number(readFileSync(pid, "utf8"));
    await eventually("the grandchild to end", () => !isRunning(started));
  });
});

/** A process that has ended and that nobody has asked after runs no more. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("many references", () => {
  it("[DIS-11] are answered each for itself, in their order", async () => {
    const home = folder();
    const refs = Array.from({ length: 200 }, (_, index) => {
      if (index % 3 !== 0) writeFileSync(join(home, `${index}`), `${index}`);
      return file(join(home, `${index}`));
    });
    const found = await read(refs, { limits: { maxConcurrent: 3 } });
    expect(found.map((one) => (typeof one === "string" ? one : one[0]))).toEqual(
      refs.map((_, index) => (index % 3 === 0 ? "it does not exist" : sha256(`${index}`))),
    );
  });

  it("[DIS-11] of one tenant are read so many at once, and those of another do not wait for them", async () => {
    const waiting: (() => void)[] = [];
    const resolve = () => new Promise<string[]>((done) => waiting.push(() => done([])));
    const reader = referenceReader({ resolve, limits: { maxConcurrent: 2 } });
    const refs = ["a", "b", "c"].map((name) =>
      create(RefSchema, { uriOrLocator: `http://${name}.example/` }),
    );
    const { signal } = new AbortController();
    const first = reader.read({ tenantId: "acme", refs }, signal);
    const second = reader.read({ tenantId: "other", refs }, signal);
    await eventually("two of each tenant", () => waiting.length === 4);
    while (waiting.length > 0) {
      waiting.shift()?.();
      await new Promise((done) => setImmediate(done));
    }
    const all = await settles(Promise.all([first, second]), "all to be read");
    expect(all.flat()).toEqual(Array(6).fill({ ok: false, reason: "its host has no address" }));
  });

  it("[DIS-11] have a time together: who comes too late is not read", async () => {
    const resolve = () => new Promise<never>(() => {});
    const slow = { uriOrLocator: "http://slow.example/" };
    const found = await read([slow, slow, slow], {
      resolve,
      limits: { maxConcurrent: 1, timeoutMs: 60, totalMs: 100 },
    });
    const over = "reading all references took too long";
    expect(found).toEqual(["it was not read within 0.06 s", over, over]);
  });

  it("[DIS-11] of a type that nobody knows, or with an endless name, are reported", async () => {
    const found = await read([{ uriOrLocator: "it", refType: 99 as RefType }, file("/a".repeat(3_000))]);
    expect(found).toEqual([
      "the hub cannot read this type of reference",
      "its locator or version is longer than 4096 characters",
    ]);
  });

  it("[DIS-11] are given up when the hub closes, so that the next process reads them", async () => {
    const closing = new AbortController();
    const reader = referenceReader({ resolve: () => new Promise<never>(() => {}) });
    const refs = [create(RefSchema, { uriOrLocator: "http://slow.example/" })];
    const reading = reader.read({ tenantId: "acme", refs }, closing.signal);
    closing.abort();
    await expect(settles(reading, "the reader to give up")).rejects.toThrow("aborted");
  });

  it("[DIS-11] fail alone when a reader throws what nobody expected", async () => {
    const resolve = () => {
      throw new Error("a secret");
    };
    expect(await read([{ uriOrLocator: "http://a.example/" }], { resolve })).toEqual([
      "it could not be read",
    ]);
  });
});
