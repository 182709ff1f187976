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
  writeFileSync(join(directory, "e2e.sh"), "#!/bin/sh\necho e2e ran\ntest -f fixed\n", { mode: 0o755 });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: directory });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "begin");
  return { directory, baseCommit: git("rev-parse", "HEAD").toString().trim() };
}

it("[PIP-06] [PIP-07] the hub runs the listed tests, searches for the tests to add, and reports missing ones", async () => {
  const { directory, baseCommit } = repository();
  const hub = await testHub({ verifier: commandVerifier() });
  onTestFinished(() => hub.drain(0));
  const dev = new TestAgent(hub, {
    packId: "dev",
    tools: ["./unit.sh"],
    answer: ({ execution }) => {
      const attempt = execution?.attemptNumber ?? 0;
      if (attempt > 1) writeFileSync(join(directory, "fixed"), "yes\n");
      if (attempt > 2) mkdirSync(join(directory, "tests"), { recursive: true });
      if (attempt > 2) writeFileSync(join(directory, "tests/new.test.ts"), "// tests\n");
      return {};
    },
  });
  await dev.receive("welcome");
  const pipelineId = await submit(hub, {
    workspace: { repository: directory, path: directory, baseCommit },
    contract: {
      ...{ taskId: "task-1", title: "Do it", acceptanceCriteria: ["it is done"] },
      environment: { testCommand: "./unit.sh" },
      tests: { testsToRun: ["./e2e.sh"], testsToAdd: ["tests/new.test.ts"] },
    },
  });
  expect((await reaches(hub, pipelineId, ...ended)).status).toBe(PipelineStatus.COMPLETED);
  const evidence = dev.envelopes.map(({ reviewFeedback }) => reviewFeedback?.failedChecks[0]?.evidence ?? "");
  expect(evidence).toHaveLength(3);
  expect(evidence[1]).toMatch(/"\.\/e2e\.sh".* ended with 1: e2e ran/);
  expect(evidence[1]).toContain("tests to add are not in the change: tests/new.test.ts");
  expect(evidence[2]).toContain("tests to add are not in the change: tests/new.test.ts");
  expect(evidence[2]).toMatch(/"\.\/e2e\.sh".* ended with 0: e2e ran/);
});
