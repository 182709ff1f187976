import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton, startBaton } from "../../../testing/run-baton.ts";

const workflow = `workflow:
  name: letter
  ends: [write]
  nodes:
    - id: write
      task_type: writing
      data_schema: { type: object, properties: { text: { type: string } } }
`;

/** An agent that is a command: the program prints the answer. */
const pack = (id: string, type: string) => `profession_pack:
  pack_id: ${id}
  pack_version: "1.0.0"
  supported_task_types: [${type}]
  command:
    run: ["node", "{pack}/agent.mjs"]
`;

const answer = (data: string) =>
  `console.log(JSON.stringify({ thought: "", status: "success", message: "done", data: ${data} }));\n`;

const letters = `eval:
  name: letters
  workflow: letter
  pass_rate: 0.5
  checks:
    - { id: written, schema: { required: [text] } }
  cases:
    - id: ada
      inputs: { to: Ada }
      checks:
        - { id: polite, grader: { task_type: grading, criteria: It greets. } }
    - id: grace
      inputs: { to: Grace }
      checks:
        - { id: names-the-day, condition: 'response.data.text.contains("Friday")' }
`;

function project(writer = answer('{ text: "Dear reader" }')) {
  const folder = scratchFolder();
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };
  write("workflows/letter.yaml", workflow);
  write("packs/writer/profession-pack.yaml", pack("writer", "writing"));
  write("packs/writer/agent.mjs", writer);
  const grader = answer('{ pass: false, reason: "no name" }');
  write("packs/grader/profession-pack.yaml", pack("grader", "grading"));
  write("packs/grader/agent.mjs", grader);
  return { folder, write, file: write("evals/letters.yaml", letters) };
}

const start = (folder: string) => startRealHub(join(folder, "data"), ["--project", folder]);

describe("baton eval", () => {
  it("[SAC-05] [SAC-11] [SAC-12] judges each answer by schema, condition and grader, and compares versions", async () => {
    const { folder, file, write } = project();
    const { address: hub } = await start(folder);
    const first = await runBaton(["eval", file, "--as", "first", "--output", "json"], { hub });
    expect([first.code, first.stderr]).toEqual([11, ""]);
    const result = JSON.parse(first.stdout);
    expect(result).toMatchObject({ name: "letters", version: "first", passRate: 0, requiredPassRate: 0.5 });
    const findings = Object.fromEntries(
      result.runs.map((run: { case: string; findings: object[] }) => [run.case, run.findings]),
    );
    expect(findings.ada).toEqual([
      { check: "end", passed: true, reason: "" },
      { check: "written", passed: true, reason: "" },
      { check: "polite", passed: false, reason: "no name" },
    ]);
    expect(findings.grace[2]).toMatchObject({ check: "names-the-day", passed: false });

    write("evals/letters.yaml", letters.replace("Friday", "reader"));
    const second = await runBaton(["eval", file, "--as", "second", "--compare", "first"], { hub });
    expect(second.code, second.stderr).toBe(0);
    expect(second.stdout).toMatch(/^✓ grace {2}p-\w+$/m);
    expect(second.stdout).toMatch(/^ {4}polite: no name$/m);
    expect(second.stdout).toMatch(/^CASE +FIRST: PASSED .*SECOND: PASSED .*FAILED$/m);
    expect(second.stdout).toMatch(/^grace +0 of 1 .* 1 of 1 /m);
    expect(second.stdout).toMatch(/^all +0 of 2 .* 1 of 2 .*polite$/m);
    expect(second.stdout).toContain("✓ 50 % passed, and 50 % were required");

    // The result is nothing but the labels of its runs.
    const label = (name: string, value: string) => ["--label", `evaluation-${name}=${value}`];
    const failed = await runBaton(
      ["runs", "list", ...label("version", "first"), ...label("case", "grace"), "--output", "jsonl"],
      { hub },
    );
    const labels = JSON.parse(failed.stdout).labels.map((one: { name: string; value: string }) => [
      one.name,
      one.value,
    ]);
    expect(Object.fromEntries(labels)).toMatchObject({
      "evaluation-verdict": "failed",
      "evaluation-failed": "names-the-day",
    });
    const again = await runBaton(["eval", file, "--as", "second"], { hub });
    expect([again.code, again.stderr]).toEqual([
      2,
      'BATON-CLI-001  evaluation "letters" has results of version "second" already\n  fix: give another name with --as\n',
    ]);
    const unknown = await runBaton(["eval", file, "--compare", "third"], { hub });
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      expect.stringContaining('no results of version "third"'),
    ]);
  });

  it("[SAC-05] reports all problems of the file with their lines, before anything runs", async () => {
    const { folder, write } = project();
    const { address: hub } = await start(folder);
    const bad = write(
      "evals/bad.yaml",
      `eval:
  name: letters
  workflow: letter
  repat: 3
  cases:
    - { id: a, checks: [{ id: x }] }
`,
    );
    const { code, stderr } = await runBaton(["eval", bad], { hub });
    expect(code).toBe(2);
    expect(stderr).toMatch(/bad\.yaml:4:3: .*repat.*did you mean repeat\?/);
    expect(stderr).toMatch(/bad\.yaml:6:25: .*checks nothing/);
    const wrong = write("evals/wrong.yaml", letters.replace("response.data.text", "response.data.txt"));
    const reads = await runBaton(["eval", wrong], { hub });
    expect([reads.code, reads.stderr]).toEqual([
      2,
      expect.stringMatching(/wrong\.yaml:15:32: .*the data has no field "txt"/),
    ]);
    const other = await runBaton(["eval", write("evals/good.yaml", letters), "--workflow", "leter"], { hub });
    expect([other.code, other.stderr]).toEqual([3, expect.stringContaining('no workflow "leter"')]);
    const { stdout } = await runBaton(["runs", "list", "--output", "jsonl"], { hub });
    expect(stdout).toBe("");
  });

  it("[SAC-05] is checked with the files of the project, without a hub", async () => {
    const { folder, write } = project();
    const check = () => runBaton(["check", "--output", "json"], { cwd: folder });
    const good = await check();
    expect(JSON.parse(good.stdout).files).toContain("evals/letters.yaml");
    expect(good.code).toBe(0);
    write("evals/letters.yaml", letters.replace("pass_rate", "pas_rate"));
    write("evals/other.yaml", "eval: [\n");
    const bad = await check();
    const { problems } = JSON.parse(bad.stdout) as {
      problems: { path: string; line: number; message: string }[];
    };
    expect(bad.code).toBe(2);
    expect(problems).toMatchObject([
      { path: "evals/letters.yaml", line: 4, message: expect.stringContaining("did you mean pass_rate?") },
      { path: "evals/other.yaml", line: expect.any(Number) },
    ]);
  });

  it("[SAC-12] aborts a run that takes too long, and all runs when it is interrupted", async () => {
    const { folder, file, write } = project("setTimeout(() => {}, 1e9);\n");
    const { address: hub } = await start(folder);
    const short = write("evals/short.yaml", letters.replace("pass_rate", "timeout: 50ms\n  pass_rate"));
    const late = await runBaton(["eval", short, "--as", "late"], { hub });
    expect([late.code, late.stderr]).toEqual([11, ""]);
    expect(late.stdout).toMatch(/end: the run is aborted, and should be completed: the evaluation does not/);

    const running = startBaton(["eval", file, "--as", "interrupted", "--hub", hub]);
    const states = async () => {
      const args = ["runs", "list", "--label", "evaluation-version=interrupted", "--output", "jsonl"];
      const { stdout } = await runBaton(args, { hub });
      return stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).status);
    };
    await expect.poll(states, { timeout: 60_000 }).toHaveLength(2);
    running.interrupt();
    expect((await running.ended).code).toBe(130);
    expect(await states()).toEqual(["PIPELINE_STATUS_ABORTED", "PIPELINE_STATUS_ABORTED"]);
  });
});
