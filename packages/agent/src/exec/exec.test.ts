import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EvidenceType, Outcome, ToolStatus } from "@baton/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { EnvelopeInput } from "../../testing/index.ts";
import { envelope, runAgent } from "../../testing/index.ts";
import { until } from "../../testing/until.ts";
import type { Exec, Task } from "../api/task.ts";

let workspace = "";
beforeAll(async () => {
  workspace = await realpath(await mkdtemp(join(tmpdir(), "baton-agent-")));
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const node = process.execPath;
/** Runs a script with Node. */
const script = (code: string) => ["-e", code] as const;

async function runIn(run: (task: Task) => Promise<unknown>, given: EnvelopeInput = {}) {
  const definition = {
    pack: "p",
    version: "1.0.0",
    taskTypes: [],
    run: async (task: Task) => {
      await run(task);
      return task.success("done");
    },
  };
  return runAgent(definition, envelope({ workspace, ...given }));
}

async function exec(run: (task: Task) => Promise<Exec>, given?: EnvelopeInput): Promise<Exec> {
  const done = Promise.withResolvers<Exec>();
  const { problems } = await runIn(async (task) => done.resolve(await run(task)), given);
  expect(problems).toEqual([]);
  return done.promise;
}

/** A zombie counts as ended: without a reaper it stays in the process table. */
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/^\d+ \(.*\) [ZX]/s.test(readFileSync(stat, "utf8"));
};

describe("a command", () => {
  it("runs in the workspace, and returns exit code and output", async () => {
    const end = await exec((task) =>
      task.exec(node, script("console.log(process.cwd()); console.error('oops'); process.exitCode = 3")),
    );
    expect(end).toMatchObject({ ok: false, exitCode: 3, timedOut: false, stdout: `${workspace}\n` });
    expect(end.output).toContain("oops");
  });

  it("receives its arguments unchanged, without a shell", async () => {
    const words = ["$HOME", "a b", "; touch here", "*"];
    const code = "console.log(JSON.stringify(process.argv.slice(1)))";
    const { stdout } = await exec((task) => task.exec(node, ["-e", code, "--", ...words]));
    expect(JSON.parse(stdout)).toEqual(words);
    expect(existsSync(join(workspace, "here"))).toBe(false);
  });

  it("inherits four variables of the agent, and those of `env`", async () => {
    vi.stubEnv("BATON_API_KEY", "secret");
    const print = script("console.log(JSON.stringify(Object.keys(process.env)))");
    const { stdout } = await exec((task) => task.exec(node, print, { env: { GIVEN: "1" } }));
    const names: string[] = JSON.parse(stdout);
    expect(names).toContain("GIVEN");
    expect(names.filter((name) => !["PATH", "HOME", "LANG", "TMPDIR", "GIVEN"].includes(name))).toEqual([]);
  });

  it("reads `input` from stdin, by default nothing", async () => {
    const echo = script("process.stdin.pipe(process.stdout)");
    expect((await exec((task) => task.exec(node, echo, { input: "hello" }))).stdout).toBe("hello");
    expect((await exec((task) => task.exec(node, echo))).stdout).toBe("");
  });

  it("with long output keeps its beginning and end, with a note of what is missing", async () => {
    const code = "process.stdout.write('start ' + 'x'.repeat(200_000) + ' end')";
    const { output, stdout } = await exec((task) => task.exec(node, script(code), { stdoutBytes: 100 }));
    expect(output).toMatch(/^start x+\n\[… \d+ bytes left out …\]\nx+ end$/);
    expect(Buffer.byteLength(output)).toBeLessThan(33 * 1024);
    const missing = 200_010 - 32 * 1024;
    expect(output).toContain(`[… ${missing} bytes left out …]`);
    expect(stdout).toMatch(/^start x{44}\n\[… 199910 bytes left out …\]\nx{46} end$/);
  });

  it("is not truncated within a character", async () => {
    const code = "process.stdout.write('€'.repeat(50_000))";
    const { output } = await exec((task) => task.exec(node, script(code)));
    expect(output).toMatch(/^€+\n\[… \d+ bytes left out …\]\n€+$/);
  });

  it("that does not exist fails with a hint that there is no shell", async () => {
    const end = await exec((task) => task.exec("no-such-program --version"));
    expect(end).toMatchObject({ ok: false, exitCode: undefined });
    expect(end.output).toMatch(/^cannot be started: there is no such program; .* no shell/);
  });

  it("in a folder that does not exist is an error that names the folder", async () => {
    const { problems, result } = await runIn((task) => task.exec(node, [], { cwd: "nowhere" }));
    expect(problems).toMatchObject([
      { code: "BATON-SDK-016", message: `folder ${workspace}/nowhere does not exist` },
    ]);
    expect(result?.status?.outcome).toBe(Outcome.NON_RETRYABLE_FAILURE);
  });
});

describe("the processes of a command", () => {
  /** Starts a child that writes its pid and runs forever. */
  const withGrandchild = ({ deaf = false, leave = false }, file: string) => {
    const trap = deaf ? "process.on('SIGTERM', () => {});" : "";
    const inner = `${trap} setInterval(() => {}, 1000); console.log(process.pid)`;
    return script(`${trap}
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: ['ignore', 'pipe', 'ignore'] });
      child.stdout.once('data', (pid) => {
        require('node:fs').writeFileSync('${file}.new', String(pid));
        require('node:fs').renameSync('${file}.new', '${file}');
        ${leave ? "process.exit(0)" : ""}
      });`);
  };

  it.each([
    { file: "polite", deaf: false, what: "that listen to SIGTERM" },
    { file: "deaf", deaf: true, what: "that ignore SIGTERM" },
  ])("all end when the attempt is cancelled, even those $what", async ({ file, deaf }) => {
    const cancel = new AbortController();
    let stopped: unknown;
    const definition = {
      pack: "p",
      version: "1.0.0",
      taskTypes: [],
      run: async (task: Task) => {
        await task.exec(node, withGrandchild({ deaf }, file)).catch((reason: unknown) => {
          stopped = reason;
        });
        return task.success("never");
      },
    };
    const run = runAgent(definition, envelope({ workspace }), { cancel: cancel.signal });
    await until(() => existsSync(join(workspace, file)));
    const grandchild = Number(await readFile(join(workspace, file), "utf8"));
    expect(isAlive(grandchild)).toBe(true);
    cancel.abort();
    const { result, events } = await run;
    expect(result).toBeUndefined();
    expect(events.map(({ payload }) => payload.case)).toEqual(["toolInvoked", "toolCompleted"]);
    // Stopped, not timed out.
    expect(events[1]?.payload.value).toMatchObject({ status: ToolStatus.FAILURE });
    expect(stopped).toMatchObject({ name: "TaskStopped", why: "cancelled" });
    await until(() => !isAlive(grandchild));
  });

  it("that remain when it exits are killed", async () => {
    const end = await exec((task) => task.exec(node, withGrandchild({ leave: true }, "left")));
    expect(end).toMatchObject({ ok: true, exitCode: 0 });
    const grandchild = Number(await readFile(join(workspace, "left"), "utf8"));
    await until(() => !isAlive(grandchild));
  });
});

describe("the evidence of a command", () => {
  const passing = "node -e 0";
  const check = (task: Task, code = "0") => task.exec("node", ["-e", code]);

  it("[PIP-07] has the type of the check whose command it is", async () => {
    const { result } = await runIn((task) => check(task), { environment: { testCommand: passing } });
    const payload = result?.evidence?.evidencePayload;
    expect(payload?.case === "items" && payload.value.items).toMatchObject([
      { type: EvidenceType.TEST, command: passing, passed: true, exitCode: 0 },
    ]);
  });

  it("has no type when the contract does not name the command", async () => {
    const { result } = await runIn((task) => check(task, "1"), { environment: { testCommand: passing } });
    const payload = result?.evidence?.evidencePayload;
    expect(payload?.case === "items" && payload.value.items).toMatchObject([
      { type: EvidenceType.UNSPECIFIED },
    ]);
  });

  it("is that of its last run: a fixed test has passed", async () => {
    const flag = join(workspace, "fixed");
    const code = "process.exit(require('node:fs').existsSync('fixed') ? 0 : 1)";
    const { result } = await runIn(
      async (task) => {
        expect((await task.check("tests"))?.ok).toBe(false);
        await writeFile(flag, "");
        expect((await task.check("tests"))?.ok).toBe(true);
        expect(await task.check("lint")).toBeUndefined();
      },
      { environment: { testCommand: `node -e "${code}"` } },
    );
    const payload = result?.evidence?.evidencePayload;
    expect(payload?.case === "items" && payload.value.items).toMatchObject([
      { type: EvidenceType.TEST, passed: true, exitCode: 0 },
    ]);
  });

  it("is omitted with `evidence: false`", async () => {
    const { result } = await runIn((task) => task.exec("node", ["-e", "0"], { evidence: false }));
    expect(result?.evidence?.evidencePayload.case).toBe("noneWithReason");
  });

  it("fits into one message, however much was run", async () => {
    const { result, problems } = await runIn(async (task) => {
      for (let index = 0; index < 150; index++) {
        task.evidence({
          check: "other",
          command: `c${index}`,
          output: "\u20ac".repeat(65_536),
          passed: true,
        });
      }
    });
    expect(problems).toEqual([]);
    expect(result?.status?.outcome).toBe(Outcome.SUCCESS);
    const payload = result?.evidence?.evidencePayload;
    const items = payload?.case === "items" ? payload.value.items : [];
    expect(items.length).toBe(100);
    expect(items.at(-1)?.output.length).toBe(65_536);
    expect(items[0]?.output).toContain("withheld");
  });

  it("[TUR-05] comes with a pair of events", async () => {
    const { events } = await runIn(async (task) => {
      await task.exec("node", ["-e", "0"]);
      await task.exec("node", ["-e", "process.exit(1)"]);
      await task.exec("node", ["-e", "setInterval(() => {}, 1000)"], { timeoutMs: 100 });
    });
    const calls = events.map(({ payload: { case: kind, value } }) =>
      kind === "toolInvoked" || kind === "toolCompleted" ? value : undefined,
    );
    expect(calls.map((call) => call?.tool)).toEqual(Array(6).fill("node"));
    const ids = calls.map((call) => call?.callId);
    expect([ids[0], ids[2], ids[4]]).toEqual([ids[1], ids[3], ids[5]]);
    expect(new Set(ids).size).toBe(3);
    const statuses = calls.flatMap((call) => (call && "status" in call ? [call.status] : []));
    expect(statuses).toEqual([ToolStatus.SUCCESS, ToolStatus.FAILURE, ToolStatus.TIMEOUT]);
    expect(calls[0]).toMatchObject({ arguments: { args: ["-e", "0"] } });
  });
});
