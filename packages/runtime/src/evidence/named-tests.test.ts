import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PipelineStatus } from "@baton/contract";
import { expect, it, onTestFinished } from "vitest";
import { ended, reaches, submit, TestAgent, testHub } from "../../testing/index.ts";
import { commandVerifier } from "./command-verifier.ts";

/** A repository with two scripts; the second fails until a file says otherwise. */
function repository() {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "baton-named-tests-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, "unit.sh"), "#!/bin/sh\necho unit ran\n", { mode: 0o755 });
  writeFileSync(join(directory, "e2e.sh"), "#!/bin/sh\necho e2e ran\ntest -f mended\n", { mode: 0o755 });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: directory });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "begin");
  return { directory, baseCommit: git("rev-parse", "HEAD").toString().trim() };
}

it("[PIP-06] [PIP-07] the hub runs the tests to run and looks for the tests to add, and says what is missing", async () => {
  const { directory, baseCommit } = repository();
  const hub = await testHub({ verifier: commandVerifier() });
  onTestFinished(() => hub.drain(0));
  const dev = new TestAgent(hub, {
    packId: "dev",
    tools: ["./unit.sh"],
    answer: ({ execution }) => {
      const attempt = execution?.attemptNumber ?? 0;
      if (attempt > 1) writeFileSync(join(directory, "mended"), "yes\n");
      if (attempt > 2) mkdirSync(join(directory, "tests"), { recursive: true });
      if (attempt > 2) writeFileSync(join(directory, "tests/new.test.ts"), "// tests\n");
      return {};
    },
  });
  await dev.hears("welcome");
  const pipelineId = await submit(hub, {
    workspace: { repository: directory, path: directory, baseCommit },
    contract: {
      ...{ taskId: "task-1", title: "Do it", acceptanceCriteria: ["it is done"] },
      environment: { testCommand: "./unit.sh" },
      tests: { testsToRun: ["./e2e.sh"], testsToAdd: ["tests/new.test.ts"] },
    },
  });
  expect((await reaches(hub, pipelineId, ...ended)).status).toBe(PipelineStatus.COMPLETED);
  const told = dev.envelopes.map(({ reviewFeedback }) => reviewFeedback?.failedChecks[0]?.evidence ?? "");
  expect(told).toHaveLength(3);
  expect(told[1]).toMatch(/"\.\/e2e\.sh".* ended with 1: e2e ran/);
  expect(told[1]).toContain("tests to add are not in the change: tests/new.test.ts");
  expect(told[2]).toContain("tests to add are not in the change: tests/new.test.ts");
  expect(told[2]).toMatch(/"\.\/e2e\.sh".* ended with 0: e2e ran/);
});
