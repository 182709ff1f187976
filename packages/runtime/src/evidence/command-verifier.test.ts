import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArtifactAction, EnvironmentSchema, WorkspaceSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { commandVerifier } from "./command-verifier.ts";

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

async function verify(directory: string, environment: Record<string, string>, limits = {}) {
  const verifier = commandVerifier({ timeoutMs: 20_000, outputBytes: 1_000, ...limits });
  const workspace = create(WorkspaceSchema, { repository: directory });
  const job = { dispatchId: "p/s/1", environment: create(EnvironmentSchema, environment), workspace };
  return verifier.verify(job, new AbortController().signal);
}

const node = (code: string) => `node --eval '${code}'`;

describe("the hub's own look", () => {
  it("[PIP-06] runs each command of the contract and says how it ended", async () => {
    const { commands } = await verify(repository(), {
      testCommand: node('console.log("fine")'),
      lintCommand: node('console.error("bad"); process.exit(3)'),
    });
    expect(commands).toEqual([
      { check: "lint", passed: false, exitCode: 3, output: "bad\n" },
      { check: "tests", passed: true, exitCode: 0, output: "fine\n" },
    ]);
  });

  it("[PIP-06] sees what was changed, made and removed since the commit", async () => {
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

  it.each(["npm test && rm x", "echo $HOME", "cat < file"])(
    "does not ask a shell: %s",
    async (testCommand) => {
      const { commands } = await verify(repository(), { testCommand });
      expect(commands).toMatchObject([{ check: "tests", passed: false, exitCode: -1 }]);
      expect(commands[0]?.output).toContain("only a shell could");
    },
  );

  it("ends what takes too long, and what it started", async () => {
    const code = 'require("child_process").spawn("sleep", ["300"]); setInterval(() => {}, 1000)';
    const { commands } = await verify(repository(), { testCommand: node(code) }, { timeoutMs: 500 });
    expect(commands).toMatchObject([{ passed: false, exitCode: -1 }]);
    expect(commands[0]?.output).toContain("ended after 0.5 s");
  });

  it("keeps the beginning and the end of a long output, and says what is left out", async () => {
    const code = 'console.log("begin" + "x".repeat(5000) + "end")';
    const { commands } = await verify(repository(), { testCommand: node(code) });
    expect(commands[0]?.output).toMatch(/^begin.*bytes left out.*end\n$/s);
  });

  it("sees nothing where there is no folder, so that no check passes", async () => {
    expect(await verify("/nowhere/at/all", { testCommand: "true" })).toEqual({
      commands: [],
      changes: undefined,
    });
  });
});
