import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectOf } from "../../../testing/project.ts";
import { scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { exitCode } from "../../exit-code.ts";

/** Does what its stage is named after; a stage called review changes nothing. */
const worker = `
  import { readFileSync, writeFileSync } from "node:fs";
  const { execution } = JSON.parse(readFileSync(0, "utf8"));
  const [, stage, attempt] = execution.dispatchId.split("/");
  if (stage === "code") {
    writeFileSync("total.js", "export const total = 'user\\u202e \\u2066// admin\\u2069';\\n");
    writeFileSync("total.test.js", "// attempt " + attempt + "\\n");
    writeFileSync("pay\\u202elaod.js", "x\\n");
  } else if (stage === "large") {
    writeFileSync("a-large.txt", "a long line of text\\n".repeat(5000));
    writeFileSync("small.txt", "small\\n");
  } else if (stage !== "review") writeFileSync(stage + ".js", stage + "\\n");
  console.log(JSON.stringify({ status: "success", summary: stage + " is done" }));`;

const templates = `
pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: chain
      name: "One after the other"
      stages:
        - { stage_id: code, task_type: worker, required: true, risk_tier: RISK_TIER_LOW }
        - { stage_id: review, task_type: worker, required: true, risk_tier: RISK_TIER_CRITICAL, depends_on_stages: [code] }
      policy: { max_rejections: 1, failure_strategy: FAIL_FAST }
    - template_id: large
      name: "A large change"
      stages:
        - { stage_id: large, task_type: worker, required: true, risk_tier: RISK_TIER_CRITICAL }
    - template_id: diamond
      name: "Side by side"
      stages:
        - { stage_id: left, task_type: worker, required: true, risk_tier: RISK_TIER_LOW }
        - { stage_id: right, task_type: worker, required: true, risk_tier: RISK_TIER_LOW }
        - { stage_id: review, task_type: worker, required: true, risk_tier: RISK_TIER_CRITICAL, depends_on_stages: [left, right] }
`;

describe("a review of real work, on the command line", () => {
  const ending: (() => void | Promise<void>)[] = [];
  const atEnd = (work: () => void | Promise<void>) => void ending.unshift(work);
  let hub = "";
  beforeAll(async () => {
    const folder = projectOf({ worker }, atEnd);
    mkdirSync(join(folder, "config"));
    writeFileSync(join(folder, "config", "pipeline-templates.yaml"), templates);
    hub = (await startRealHub(join(folder, "data"), ["--project", folder], atEnd)).address;
  });
  afterAll(async () => {
    for (const work of ending) await work();
  });

  const gitIn = (folder: string, ...args: readonly string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Me", "-c", "user.email=me@localhost", ...args], {
      encoding: "utf8",
    });
  const shop = () => {
    const folder = join(scratchFolder(atEnd), "the shop");
    mkdirSync(folder);
    writeFileSync(join(folder, "total.js"), "export const total = 0;\n");
    writeFileSync(join(folder, "total.test.js"), "// as it was\n");
    gitIn(folder, "init", "--quiet");
    gitIn(folder, "add", ".");
    gitIn(folder, "commit", "--quiet", "-m", "As it was");
    return folder;
  };
  /** Runs a template until it waits for a person. */
  const runUntilAsked = async (template: string, repository: string) => {
    const args = ["run", template, "--title", "Add up the prices", "--accept", "they add up", "--wait"];
    const ran = await runBaton([...args, "--repository", repository, "--output", "json"], { hub });
    expect(ran.code).toBe(exitCode.waitsForPerson);
    const run = JSON.parse(ran.stdout);
    return (run.pipeline ?? run).pipelineId as string;
  };
  const inbox = async (id: string) => (await runBaton(["inbox", id], { hub })).stdout;
  const until = async (id: string, isSo: (run: { status: string; stages: Stage[] }) => boolean) => {
    for (;;) {
      const { stdout } = await runBaton(["runs", "show", id, "--output", "json"], { hub });
      const run = JSON.parse(stdout);
      if (isSo(run.pipeline ?? run)) return run.pipeline ?? run;
    }
  };
  interface Stage {
    readonly stageId: string;
    readonly attemptNumber: number;
    readonly waitingFor?: string;
  }
  /** What a shell does with a line that `baton inbox` gives to be copied. */
  const shellQuote = (command: string) =>
    execFileSync("sh", ["-c", command], {
      encoding: "utf8",
      env: { ...process.env, GIT_AUTHOR_NAME: "Me", GIT_AUTHOR_EMAIL: "me@localhost" },
    });

  it("[PIP-06] [PIP-08] [PIP-09] shows the whole change of any stage; sends that stage back; and says when no rejection is left", async () => {
    const repository = shop();
    const id = await runUntilAsked("chain", repository);
    const first = await inbox(id);
    const leading = /^! (.*), (\S+)\n {2}agent +(.*)\n {2}change +(.*)\n {2}raised +(.*)\n/.exec(first);
    expect(leading?.slice(1, 5)).toEqual(["Add up the prices", "review", "worker", "3 files, +3 -2"]);
    expect(first).toMatch(/^ {2}work of +code$/m);
    const change = first.slice(first.indexOf("Change under review"), first.indexOf("To look at the work"));
    expect(change).toMatch(/^ +pay<U\+202E>laod\.js +new +\+1 +-0 +1 hidden character$/m);
    expect(change).toMatch(/^ +total\.js +changed +\+1 +-1 +3 hidden characters$/m);
    expect(change).toMatch(/^ +total\.test\.js +changed +\+1 +-1 +test$/m);
    expect(change).toContain("! 4 characters cannot be seen or change the direction of text");
    expect(change).toContain("! 1 test file that existed before was changed or removed.");
    expect(change).toContain("\n      -export const total = 0;\n");
    expect(change).toContain("\n      +export const total = 'user<U+202E> <U+2066>// admin<U+2069>';\n");
    expect(change).toContain("\n      +// attempt 1\n");
    expect(first).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);

    // The commands show and merge just that.
    const [, diff = ""] = /To look at the work\n {4}(git .*)\n/.exec(first) ?? [];
    const diffText = shellQuote(diff);
    for (const line of diffText.split("\n").filter((one) => /^[+-]export|^[+-]\/\//.test(one)))
      expect(change).toContain(line.replace(/[\u202a-\u202e\u2066-\u2069]/gu, code));
    expect(diffText.match(/^diff --git/gm)).toHaveLength(3);
    const [, merge = ""] = /Merge after approval\n {4}(git .*)\n/.exec(first) ?? [];
    const base = gitIn(repository, "rev-parse", "HEAD").trim();
    shellQuote(merge);
    expect(gitIn(repository, "diff", base, "HEAD")).toBe(diffText);

    // The stage that changed something is the one that goes back.
    expect(first).toContain(
      `baton reject ${id}/e1 --reason "..." --instruct "..."\n` +
        "        code is tried again, with what failed and your instructions. review starts over. It is the last rejection that this run allows.\n",
    );
    const rejected = await runBaton(
      ["reject", id, "--reason", "read it again", "--instruct", "count the prices"],
      { hub },
    );
    expect(rejected.stderr).toContain("is sent back\ncode is tried again");
    expect(first).toMatch(/^ {2}options +approve, reject, reject --unfixable$/m);
    const late = await runBaton(["inbox", `${id}/e1`], { hub });
    expect(late.stderr).toMatch(/"p-\S+\/e1" was answered by \S+ at \d{4}-.*Z: /);
    const all = await runBaton(["inbox", "--all"], { hub });
    expect(all.stdout).toMatch(/^✓ Add up the prices, review$/m);
    expect(all.stdout).toMatch(/^ {2}answered +\d{4}-.*Z$/m);
    const short = await runBaton(["runs", "show", "p-0"], { hub });
    expect(short.stderr).toContain("fix: give at least 4 characters of its id");
    const dry = await runBaton(
      ["run", "--task-type", "nobody", "--title", "x", "--accept", "y", "--dry-run"],
      { hub },
    );
    expect(dry.stderr).toContain("nobody would wait for an agent: ");
    const asked = await until(id, ({ stages }) => stages[1]?.waitingFor === "a review by a person");
    expect(asked.stages.map(({ attemptNumber }: Stage) => attemptNumber)).toEqual([2, 2]);

    const last = await inbox(id);
    const fails = "No rejection is left, so nothing goes back: review fails for good, and the run with it.";
    expect(last).toContain(`--reason "..." --instruct "..."\n        ${fails}\n`);
    expect(last).not.toContain("--to ");
    expect(last).toContain("+// attempt 2");
    // The second review shows the first, and what changed since.
    expect(last).toContain(
      "Attempt 1 of code was sent back\n    reason       read it again\n    instruction  count the prices\n",
    );
    const [, since = ""] = /To see what changed since\n {4}(git .*)\n/.exec(last) ?? [];
    expect(shellQuote(since)).toContain("-// attempt 1\n+// attempt 2");
    const again = await runBaton(["reject", id, "--reason", "still no"], { hub });
    expect(again.stderr).toContain(`is failed\n${fails}\n`);
    await until(id, ({ status }) => status === "PIPELINE_STATUS_FAILED");
  });

  it("[PIP-06] [PIP-08] shows both sides of a diamond, and asks which of them goes back", async () => {
    const id = await runUntilAsked("diamond", shop());
    const diffText = await inbox(id);
    expect(diffText).toMatch(/^ +left\.js +new +\+1 +-0$/m);
    expect(diffText).toMatch(/^ +right\.js +new +\+1 +-0$/m);
    expect(diffText).toContain(" --to left --reason");
    expect(diffText).toContain(" --to right --reason");
    const unsure = await runBaton(["reject", id, "--reason", "no"], { hub });
    expect(unsure.code).toBe(exitCode.usage);
    expect(unsure.stderr).toContain("name the stage to go back to: --to left or --to right");
    const sure = await runBaton(["reject", id, "--to", "right", "--reason", "no"], { hub });
    expect(sure.stderr).toContain("right is tried again");
    const asked = await until(id, ({ stages }) => stages[2]?.waitingFor === "a review by a person");
    expect(asked.stages.map(({ attemptNumber }: Stage) => attemptNumber)).toEqual([1, 2, 2]);
    await runBaton(["runs", "abort", id, "--reason", "seen enough"], { hub });
  });

  it("[PIP-06] cuts a very large change, says how much is missing, and gives the command that shows all", async () => {
    const id = await runUntilAsked("large", shop());
    const diffText = await inbox(id);
    const [, left = ""] = /! (\d+) changed lines are not shown\./.exec(diffText) ?? [];
    const lines = diffText.match(/^ +\+a long line of text$/gm) ?? [];
    expect(lines.length).toBeGreaterThan(1_000);
    expect(Number(left)).toBe(5_000 - lines.length);
    expect(diffText).toContain(`${left} changed lines not shown\n`);
    expect(diffText).toContain("      +small\n");
    const [, diff = ""] = /To look at the work\n {4}(git .*)\n/.exec(diffText) ?? [];
    expect(shellQuote(diff).match(/^\+a long line of text$/gm)).toHaveLength(5_000);
    await runBaton(["runs", "abort", id, "--reason", "seen enough"], { hub });
  });

  it("[PIP-10] lists questions by run, stage, agent, size and age", async () => {
    const ids = [await runUntilAsked("chain", shop()), await runUntilAsked("chain", shop())];
    const { stdout } = await runBaton(["inbox"], { hub });
    const all = stdout.match(/^! .*\n.*\n.*\n.*\n.*$/gm) ?? [];
    const heads = all.filter((head) => ids.some((id) => head.includes(`${id}/e1`)));
    expect(heads).toHaveLength(2);
    for (const [at, head] of heads.entries()) {
      expect(head.replace(/raised .*/, "raised")).toMatch(
        /^! Add up the prices, review\n {2}agent +worker\n {2}change +3 files, \+3 -2\n {2}raised\n {2}question +/,
      );
      expect(head).toContain(`${ids[at]}/e1`);
    }
    for (const id of ids) await runBaton(["runs", "abort", id, "--reason", "seen enough"], { hub });
  });
});

function code(character: string): string {
  return `<U+${character.charCodeAt(0).toString(16).toUpperCase()}>`;
}
