import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";

const rated = `workflow:
  name: rated
  title: Rate a text
  ends: [publish]
  nodes:
    - { id: rate, task_type: rating }
    - { id: polish, task_type: polishing }
    - { id: check, pack: checker, task_type: checking }
    - { id: publish, task_type: publishing, join: all }
    - { id: repair, task_type: repairing }
  edges:
    - { from: rate, to: check, condition: response.data.score > 0.8 }
    - { from: rate, to: polish, condition: response.data.score <= 0.8 }
    - { from: rate, to: repair, kind: error }
    - { from: check, to: publish }
    - { from: polish, to: publish }
    - { from: check, to: rate, kind: back, max_times: 2 }
    - { from: polish, to: rate, kind: back, max_times: 1, condition: response.data.worse }
`;

const drawn = `rated  Rate a text

● rate  rating
│   → polish if response.data.score <= 0.8
│   → check if response.data.score > 0.8
│   → repair on failure
├─┬─╮
● │ │ polish  polishing
│ │ │   → publish
│ │ │   back to rate at most once if response.data.worse
│ ● │ check  checking, pack checker
│ │ │   → publish
│ │ │   back to rate at most 2 times when it asks for another try
├─╯ │
●   │ publish  publishing, joins all, end
    ● repair  repairing
`;

function project(): string {
  const folder = scratchFolder();
  mkdirSync(join(folder, "workflows"));
  writeFileSync(join(folder, "workflows/rated.yaml"), rated);
  return folder;
}

describe("baton workflow graph", () => {
  it("[SAC-05] draws a file without a hub: nodes, edges, conditions and bounds", async () => {
    const cwd = project();
    const { code, stdout } = await runBaton(["workflow", "graph", "workflows/rated.yaml"], { cwd });
    expect(stdout).toBe(drawn);
    expect(code).toBe(0);
  });

  it("[SAC-05] fits a narrow terminal, and one without UTF-8", async () => {
    const cwd = project();
    const env = { COLUMNS: "30", LANG: "C" };
    const { stdout } = await runBaton(["workflow", "graph", "workflows/rated.yaml"], { cwd, env });
    expect(stdout.split("\n").slice(2, 9)).toEqual([
      "* rate  rating",
      "|   -> polish if",
      "|     response.data.score <=",
      "|     0.8",
      "|   -> check if",
      "|     response.data.score >",
      "|     0.8",
    ]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII alone
    expect(stdout).toMatch(/^[\x00-\x7f]*$/);
    const wide = stdout.split("\n").filter((line) => line.length > 30);
    expect(wide.filter((line) => line.includes(" "))).toEqual(wide);
  });

  it("[SAC-05] lists the edges of nodes where lanes leave no room for text", async () => {
    const cwd = project();
    const { stdout } = await runBaton(["workflow", "graph", "workflows/rated.yaml"], {
      cwd,
      env: { COLUMNS: "12" },
    });
    expect(stdout).not.toContain("├");
    expect(stdout.match(/^● /gm)).toHaveLength(5);
  });

  it("[SAC-05] reports the problems of a file with their positions", async () => {
    const cwd = project();
    writeFileSync(join(cwd, "workflows/rated.yaml"), rated.replace("score > 0.8", "score >"));
    const { code, stdout } = await runBaton(["workflow", "graph", "workflows/rated.yaml"], { cwd });
    expect(stdout).toMatch(
      /^BATON-GRAPH-001 {2}condition: not a CEL expression.*\n {2}at workflows\/rated.yaml:12:32/,
    );
    expect(code).toBe(2);
    const missing = await runBaton(["workflow", "graph", "workflows/none.yaml"], { cwd });
    expect(missing.stderr).toContain('there is no file "workflows/none.yaml"');
  });

  it("[SAC-05] is the same from a hub, whose workflows are listed and run by name", async () => {
    const folder = project();
    const { address: hub } = await startRealHub(join(folder, "data"), ["--project", folder]);
    const listed = await runBaton(["workflow", "list"], { hub });
    expect(listed.stdout.split("\n").map((line) => line.split(/\s{2,}/))).toEqual([
      ["WORKFLOW", "NODES", "EDGES", "ENDS", "TITLE"],
      ["rated", "5", "7", "publish", "Rate a text"],
      [""],
    ]);
    expect((await runBaton(["workflow", "graph", "rated"], { hub })).stdout).toBe(drawn);
    const json = await runBaton(["workflow", "graph", "rated", "--output", "json"], { hub });
    expect(JSON.parse(json.stdout)).toMatchObject({
      templateId: "rated",
      workflow: true,
      endStages: ["publish"],
    });
    const unknown = await runBaton(["workflow", "graph", "rate"], { hub });
    expect(unknown.stderr).toContain('the hub has no workflow "rate"');
    expect(unknown.stderr).toContain("give one of: rated");
    const run = ["run", "rated", "--title", "A text", "--accept", "it is rated", "--dry-run"];
    expect((await runBaton(run, { hub })).stdout).toContain("polish");
  });
});
