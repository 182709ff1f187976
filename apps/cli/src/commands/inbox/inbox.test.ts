import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startHubWith } from "../../../testing/project.ts";
import { scratchFolder } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { exitCode } from "../../exit-code.ts";

const task = (type: string, ...more: string[]) => [
  ...[
    "run",
    "--task-type",
    type,
    "--title",
    "Add up the prices",
    "--accept",
    "they add up",
    "--wait",
    ...more,
  ],
];

async function idOf(hub: string): Promise<string> {
  const { stdout } = await runBaton(["runs", "list", "--output", "jsonl"], { hub });
  return JSON.parse(stdout.split("\n")[0] ?? "").pipelineId;
}

function gitIn(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();
}

function shop(): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, "total.js"), "export const total = (prices) => prices[0];\n");
  gitIn(folder, "init", "--quiet");
  gitIn(folder, "add", ".");
  gitIn(
    folder,
    "-c",
    "user.name=Me",
    "-c",
    "user.email=me@localhost",
    "commit",
    "--quiet",
    "-m",
    "As it was",
  );
  return folder;
}

describe("what waits for a person, of a real hub with real agents", () => {
  it("[DIS-14] names the quarantined agent and how to restore it, displays the invalid output without secrets, and explains why a retry changes nothing", async () => {
    const secret = `sk-ant-api03-${"aB3dE6gH9j".repeat(8)}`;
    const program = `console.log("I think it is 42, and my key is ${secret}\\n" + "and so on\\n".repeat(50));`;
    const { address: hub } = await startHubWith({ babbler: program });
    expect((await runBaton(task("babbler", "--on-failure", "pause"), { hub })).code).toBe(
      exitCode.waitsForPerson,
    );
    const id = await idOf(hub);
    const restore = 'baton agent restore babbler/babbler-command --reason "..."';
    const { stdout: view } = await runBaton(["runs", "show", id], { hub });
    expect(view).toContain(`to go on\n        ${restore}\n        baton runs resume`);
    const { stdout: first } = await runBaton(["inbox"], { hub });
    expect(first).toContain(`if babbler/babbler-command was shut out for it, let it in first: ${restore}\n`);
    expect(first).toContain("Its output, which is no answer\n    I think it is 42, and my key is [redacted");
    expect(first.match(/and so on/g)).toHaveLength(5);
    expect(first).not.toContain(secret);
    expect(first).toContain(
      `To go on\n    ${restore}\n        Restores babbler/babbler-command from quarantine`,
    );

    await runBaton(["runs", "resume", id, "--reason", "again"], { hub });
    const { stdout: second } = await runBaton(["inbox"], { hub });
    expect(second).toContain('"retry" changes nothing before that');
    expect(second).toContain(`fix babbler/babbler-command, then let it in again: ${restore}\n`);
    const answered = await runBaton(["answer", id, "retry"], { hub });
    expect(answered.stderr).toContain("the problem persists, so the question is open again");
    expect(answered.stderr).toContain(restore);
  });

  it("[PIP-06] [TRN-03] says to the reviewer that the agent ran without a sandbox, and marks it in the list of agents", async () => {
    const program = `console.log(JSON.stringify({ status: "success", summary: "they add up" }));`;
    const { address: hub } = await startHubWith({ loose: program }, undefined, { loose: "sandbox: off" });
    await runBaton(task("loose", "--risk", "critical"), { hub });
    const { stdout } = await runBaton(["inbox"], { hub });
    expect(stdout).toContain("Notices\n    - the agent ran without a sandbox: its pack says sandbox: off\n");
    const { stdout: agents } = await runBaton(["agent", "list"], { hub });
    expect(agents).toMatch(/loose\/loose-command.*command, \d+s.*sandbox: off/);
  });

  it("[PIP-06] gives the command that shows what is to be reviewed, and it does", async () => {
    const program = `
      import { appendFileSync, readFileSync } from "node:fs";
      readFileSync(0);
      appendFileSync("total.js", "// adds up now\\n");
      console.log(JSON.stringify({ status: "success", summary: "they add up" }));`;
    const { address: hub } = await startHubWith({ adder: program });
    const repository = shop();
    await runBaton(task("adder", "--repository", repository, "--risk", "critical"), { hub });
    const { stdout } = await runBaton(["inbox"], { hub });
    const command = /To look at the work\n {4}git -C (\S+) diff (\S+)\n/.exec(stdout);
    expect(command?.[1]).toBe(repository);
    expect(gitIn(repository, "diff", command?.[2] ?? "")).toContain("+// adds up now");
    const [, commit = ""] = command?.[2]?.split("..") ?? [];
    expect(gitIn(repository, "log", "-1", "--format=%s", commit)).toBe(
      "Add up the prices (adder, attempt 1)",
    );
  });
});
