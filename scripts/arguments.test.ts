import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { readArguments, type Usage } from "./arguments.ts";
import { inTree, isInTree, readJson } from "./tree.ts";

const usage: Usage = {
  command: "npm run brew",
  purpose: "makes tea",
  options: { cups: { short: "c", value: "N", purpose: "how many" }, hot: { purpose: "and not iced" } },
  operands: { name: "kind", purpose: "of tea" },
};

describe("arguments", () => {
  test.each([
    [[], {}, []],
    [["--hot", "green"], {}, ["green"], ["hot"]],
    [["--cups", "3", "green"], { cups: "3" }, ["green"]],
    [["green", "-c", "3", "black"], { cups: "3" }, ["green", "black"]],
    [["--cups=3"], { cups: "3" }, []],
    [["--", "--cups"], {}, ["--cups"]],
  ])("%j are taken", (args, values, operands, flags: string[] = []) => {
    const given = { values, flags: new Set(flags), operands };
    expect(readArguments(usage, args)).toEqual({ kind: "run", given });
  });

  test.each([
    [["--cusp", "3"], "unknown option --cusp"],
    [["-x"], "unknown option -x"],
    [["--toString"], "unknown option --toString"],
    [["--cups"], "--cups wants a value: --cups N"],
    [["--hot=very"], "--hot takes no value"],
    [["-c"], "-c wants a value: -c N"],
  ])("%j are refused, in one line with what is known", (args, problem) => {
    expect(readArguments(usage, args)).toEqual({
      kind: "refused",
      text: `${problem}; npm run brew knows -c, --cups N, --hot, [kind ...], --help`,
    });
  });

  test("a task without operands refuses one", () => {
    expect(readArguments({ command: "npm run rest", purpose: "does nothing" }, ["now"])).toEqual({
      kind: "refused",
      text: 'unknown argument "now"; npm run rest knows --help',
    });
  });

  test.each([["--help"], ["-h"]])("%s explains, whatever stands beside it", (option) => {
    const reading = readArguments(usage, ["--cusp", option]);
    expect(reading).toEqual({ kind: "help", text: expect.stringContaining("-c, --cups N  how many") });
  });
});

const { scripts } = readJson<{ scripts: Record<string, string> }>("package.json");
const tasks = Object.keys(scripts).filter((task) => isInTree(`scripts/${task}.ts`));

describe.each(tasks)("the task %s", (task) => {
  test("explains itself, and does nothing else", () => {
    const { status, stdout, stderr } = call(task, "--help");
    expect(stdout).toMatch(new RegExp(`^npm (run )?${task}  `));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test("refuses an option it does not know in one line, and does nothing", () => {
    const { status, stdout, stderr } = call(task, "--nope");
    expect(stderr).toMatch(new RegExp(`^unknown option --nope; npm (run )?${task} knows .*--help\n$`));
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });
});

test.each(["check", "generate", "release-contract"])("the task %s refuses an operand", (task) => {
  const { status, stdout, stderr } = call(task, "foo");
  expect(stderr).toBe(`unknown argument "foo"; npm run ${task} knows --help\n`);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
});

test.each([
  [
    "test",
    /^no path of a test file contains "nonsense"; folders with tests: .*packages\/contract, .*scripts/,
  ],
  ["fuzz", /^no path of a test file contains "nonsense"; folders with tests: .*packages\/contract/],
  ["bench", /^no benchmark nonsense; the known ones: .*contract/],
])("the task %s says which of its operands stands for nothing, and what there is", (task, message) => {
  const { status, stdout, stderr } = call(task, "contract", "nonsense");
  expect(stderr).toMatch(message);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
});

test("the task fuzz wants a number of cases", () => {
  expect(call("fuzz", "--runs", "many")).toMatchObject({
    status: 2,
    stderr: '--runs wants a number of cases, not "many"; as in --runs 10000\n',
  });
});

function call(task: string, ...args: readonly string[]) {
  return spawnSync(process.execPath, [inTree(`scripts/${task}.ts`), ...args], { encoding: "utf8" });
}

test("the task start refuses an operand", () => {
  const { status, stdout, stderr } = call("start", "foo");
  expect(stderr).toBe('unknown argument "foo"; npm start knows --story NAME, --once, --help\n');
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
});
