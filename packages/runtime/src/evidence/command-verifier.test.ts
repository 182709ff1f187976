import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ArtifactAction, EnvironmentSchema, WorkspaceSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AllowedWorkspaces } from "../processes/allowed-workspaces.ts";
import { commandVerifier } from "./command-verifier.ts";
import type { VerifyLimits } from "./limits.ts";

/** A repository with one commit. */
function repository(): string {
  const directory = mkdtempSync(join(tmpdir(), "baton-verify-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: directory });
  git("init", "-q");
  writeFileSync(join(directory, "kept.txt"), "one\ntwo\n");
  writeFileSync(join(directory, "gone.txt"), "one\n");
  git("add", ".");
  git("commit", "-qm", "begin");
  return directory;
}

/** Its first commit; none where there is no repository. */
function beginningOf(directory: string): string {
  try {
    const args = ["rev-list", "--max-parents=0", "HEAD"];
    return execFileSync("git", args, { cwd: directory, encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return "";
  }
}

async function verify(
  directory: string,
  environment: Record<string, string>,
  limits: Partial<VerifyLimits> = {},
  workspaces?: AllowedWorkspaces,
) {
  const verifier = commandVerifier({
    limits: { timeoutMs: 20_000, outputBytes: 1_000, ...limits },
    ...(workspaces && { workspaces }),
  });
  const workspace = create(WorkspaceSchema, { repository: directory, baseCommit: beginningOf(directory) });
  const job = { dispatchId: "p/s/1", environment: create(EnvironmentSchema, environment), workspace };
  return verifier.verify(job, new AbortController().signal);
}

const node = (code: string) => `node --eval '${code}'`;

describe("verification by the hub", () => {
  it("[PIP-06] runs each command of the contract and reports its result", async () => {
    const { commands } = await verify(repository(), {
      testCommand: node('console.log("fine")'),
      lintCommand: node('console.error("bad"); process.exit(3)'),
    });
    expect(commands).toMatchObject([
      { check: "lint", passed: false, exitCode: 3, output: "bad\n" },
      { check: "tests", passed: true, exitCode: 0, output: "fine\n" },
    ]);
  });

  it("[PIP-06] creates its files in the configured folder and removes them", async () => {
    const scratch = mkdtempSync(join(tmpdir(), "baton-scratch-"));
    onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
    utimesSync(scratch, 0, 0);
    const folder = repository();
    const workspace = create(WorkspaceSchema, { repository: folder, baseCommit: beginningOf(folder) });
    const job = { dispatchId: "p/s/1", environment: create(EnvironmentSchema), workspace };
    const { changes } = await commandVerifier({ scratch }).verify(job, new AbortController().signal);
    expect(changes).toBeDefined();
    expect(statSync(scratch).mtimeMs).toBeGreaterThan(0);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("[PIP-06] reads changed, created and deleted files since the commit", async () => {
    const directory = repository();
    writeFileSync(join(directory, "kept.txt"), "one\nthree\n");
    writeFileSync(join(directory, "new.txt"), "a\nb\nc\n");
    rmSync(join(directory, "gone.txt"));
    const { changes } = await verify(directory, {});
    expect(changes?.files.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: "gone.txt", action: ArtifactAction.DELETED },
      { path: "kept.txt", action: ArtifactAction.MODIFIED },
      { path: "new.txt", action: ArtifactAction.CREATED },
    ]);
    expect(changes?.lines).toBe(1 + 2 + 3);
  });

  it("[PIP-06] ignores what an agent leaves in the folder's git directory, and runs nothing of it", async () => {
    const directory = repository();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: directory });
    const ran = join(directory, "..", `${basename(directory)}-ran`);
    onTestFinished(() => rmSync(ran, { force: true }));
    writeFileSync(join(directory, ".gitattributes"), "*.txt filter=own\n");
    git("config", "filter.own.clean", `touch ${ran}; git show HEAD:kept.txt`);
    writeFileSync(join(directory, ".git/info/exclude"), "hidden.txt\n");
    writeFileSync(join(directory, "hidden.txt"), "a\n");
    git("update-index", "--assume-unchanged", "kept.txt");
    writeFileSync(join(directory, "kept.txt"), "other\n");
    rmSync(ran, { force: true }); // What we did to set the trap may have sprung it.
    const { changes } = await verify(directory, {});
    expect(changes?.files.map(({ path }) => path).toSorted()).toEqual([
      ".gitattributes",
      "hidden.txt",
      "kept.txt",
    ]);
    expect(existsSync(ran)).toBe(false);
  });

  it.each(["npm test && rm x", "echo $HOME", "cat < file"])(
    "does not ask a shell: %s",
    async (testCommand) => {
      const { commands } = await verify(repository(), { testCommand });
      expect(commands).toMatchObject([{ check: "tests", passed: false, exitCode: -1 }]);
      expect(commands[0]?.output).toContain("it needs a shell");
    },
  );

  it("kills a command that takes too long, with its child processes", async () => {
    const code = 'require("child_process").spawn("sleep", ["300"]); setInterval(() => {}, 1000)';
    const { commands } = await verify(repository(), { testCommand: node(code) }, { timeoutMs: 500 });
    expect(commands).toMatchObject([{ passed: false, exitCode: -1 }]);
    expect(commands[0]?.output).toContain("killed after 0.5 s");
  });

  it("retains the beginning and the end of a long output, with the omitted size", async () => {
    const code = 'console.log("begin" + "x".repeat(5000) + "end")';
    const { commands } = await verify(repository(), { testCommand: node(code) });
    expect(commands[0]?.output).toMatch(/^begin.*bytes left out.*end\n$/s);
  });

  it("passes no check when the folder is missing", async () => {
    expect(await verify("/nowhere/at/all", { testCommand: "true" })).toEqual({
      commands: [],
      changes: undefined,
      unseen: 'the hub cannot read the workspace folder "/nowhere/at/all"',
    });
  });
});

describe("limits of verification", () => {
  it("[PIP-06] runs a limited number of commands, and reports the rest", async () => {
    const command = node("");
    const all = { buildCommand: command, lintCommand: command, testCommand: command };
    const { commands, unseen } = await verify(repository(), all, { commands: 2 });
    expect(commands.map(({ check }) => check)).toEqual(["build", "lint"]);
    expect(unseen).toBe("only 2 commands are run");
  });

  it("[PIP-06] stops all commands of a result after their total timeout", async () => {
    const hangs = node("setInterval(() => {}, 1000)");
    const environment = { buildCommand: hangs, lintCommand: hangs, testCommand: hangs };
    const { commands, unseen } = await verify(repository(), environment, { totalMs: 300 });
    expect(commands).toMatchObject([{ check: "build", passed: false, exitCode: -1 }]);
    expect(unseen).toBe("all commands together took more than 0.3 s");
  });

  it("verifies a limited number of results concurrently, and all of them in the end", async () => {
    const directory = repository();
    const verifier = commandVerifier({ limits: { maxConcurrent: 1 } });
    // Fails when another one is at work in the same folder.
    const alone =
      'const fs = require("fs"); fs.mkdirSync("lock"); setTimeout(() => fs.rmdirSync("lock"), 50)';
    const job = {
      dispatchId: "p/s/1",
      environment: create(EnvironmentSchema, { testCommand: node(alone) }),
      workspace: create(WorkspaceSchema, { repository: directory }),
    };
    const { signal } = new AbortController();
    const seen = await Promise.all([1, 2, 3].map(() => verifier.verify(job, signal)));
    expect(seen.map(({ commands }) => commands[0]?.passed)).toEqual([true, true, true]);
  });

  it("counts the lines of many new files with any names", async () => {
    const directory = repository();
    for (let n = 0; n < 450; n++) writeFileSync(join(directory, `${n}\n7 *.txt`), "a\nb\n");
    expect((await verify(directory, {})).changes).toMatchObject({ lines: 900 });
    expect(await verify(directory, {}, { newFiles: 100 })).toMatchObject({
      changes: undefined,
      unseenChanges: "more than 100 files were changed",
    });
  });
});

describe("a workspace", () => {
  const newRunMark = { testCommand: node('require("fs").writeFileSync("ran", "")') };

  it("[PIP-06] may be in an allowed folder, also through a link inside it", async () => {
    const directory = repository();
    const inner = join(directory, "inner");
    mkdirSync(inner);
    symlinkSync(inner, join(directory, "link"));
    for (const path of [directory, inner, join(directory, "link")]) {
      const { commands, unseen } = await verify(path, newRunMark, {}, [directory]);
      expect({ unseen, passed: commands[0]?.passed }).toEqual({ unseen: undefined, passed: true });
    }
  });

  it("[PIP-06] is refused elsewhere: by name, by .., by a link, or with nothing allowed", async () => {
    const [outside, allowed] = [repository(), repository()];
    symlinkSync(outside, join(allowed, "link"));
    const namesake = `${allowed}-too`;
    mkdirSync(namesake);
    onTestFinished(() => rmSync(namesake, { recursive: true, force: true }));
    const ways: [string, string[]][] = [
      [outside, [allowed]],
      [join(allowed, "..", basename(outside)), [allowed]],
      [join(allowed, "link"), [allowed]],
      [namesake, [allowed]],
      ["/nowhere/at/all", [allowed]],
      [outside, []],
    ];
    for (const [path, workspaces] of ways) {
      expect(await verify(path, newRunMark, {}, workspaces)).toEqual({
        commands: [],
        changes: undefined,
        unseen: `the workspace "${path}" is outside the folders of evidence.workspaces`,
      });
    }
    for (const directory of [outside, namesake]) expect(existsSync(join(directory, "ran"))).toBe(false);
  });
});
