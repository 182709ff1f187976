import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ErrorDetailSchema, EscalationKind } from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Command } from "commander";
import { afterAll, describe, expect, it } from "vitest";
import { startHub } from "../testing/hub-double.ts";
import { runBaton } from "../testing/run-baton.ts";
import { aQuestion } from "../testing/sample.ts";
import { toErrorReport } from "./errors/error-report.ts";
import { createProgram } from "./program.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

const key = "baton_k1_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";
const nobody = "http://127.0.0.1:1";
const list = ["runs", "list"];

describe("baton", () => {
  it("explains every command with examples and with the options that all have", async () => {
    const explained: string[] = [];
    const walk = (command: Command, path: string) => {
      let text = "";
      command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
      explained.push(path);
      expect(text).toMatch(new RegExp(`^Usage: (?:npx )?${path}`));
      expect(text, path).toMatch(/\nExamples:\n {2}\S*.*baton /);
      expect(text, path).toContain("--output <form>");
      for (const part of command.commands) walk(part, `${path} ${part.name()}`);
    };
    walk(await createProgram(), "baton");
    expect(explained).toContain("baton runs watch");
  });

  it("loads only the command that is named, and none for the help that lists them", async () => {
    const whole = await createProgram();
    const all = whole.commands;
    expect(all.length).toBeGreaterThan(15);
    for (const command of all) {
      const args = ["--hub", "http://inbox", "-o", "json", command.name(), "watch"];
      const { commands } = await createProgram(args);
      const alone = commands.find((one) => one.name() === command.name());
      expect(alone?.helpInformation()).toBe(command.helpInformation());
      expect(commands.length).toBeLessThanOrEqual(3);
    }
    for (const args of [[], ["help"], ["inbxo"], ["--hub", "inbox"], ["--help"]]) {
      const program = await createProgram(args);
      expect(program.commands).toHaveLength(all.length);
      expect(program.helpInformation()).toBe(whole.helpInformation());
      for (const command of program.commands) expect(command.options, command.name()).toEqual([]);
    }
  });

  it("prints help to standard output, wrapped to a narrow terminal", async () => {
    const { code, stdout, stderr } = await runBaton(["runs", "list", "--help"], {
      env: { COLUMNS: "60" },
    });
    expect([code, stderr]).toEqual([0, ""]);
    const [help = ""] = stdout.split("Examples:");
    for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  });

  it("puts descriptions below their terms where they have no room beside them", async () => {
    for (const args of [["--help"], ["runs", "list", "--help"]]) {
      const { code, stdout } = await runBaton(args, { env: { COLUMNS: "42" } });
      expect(code).toBe(0);
      const [help = ""] = stdout.split("Examples:");
      expect(help).toContain("  -o, --output <form>\n      the output format");
      for (const line of help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(42);
    }
  });

  it("prints its version and the contract's", async () => {
    expect((await runBaton(["--version"])).stdout).toMatch(/^baton \d+\.\d+\.\d+, contract \d+\.\d+\.\d+\n$/);
  });

  it("without a command, gives the help as an error", async () => {
    const { code, stdout, stderr } = await runBaton([]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^Usage: baton/);
  });

  it("refuses what it does not know, with the nearest that it knows", async () => {
    const { code, stdout, stderr } = await runBaton(["pipline"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe('BATON-CLI-001  unknown command "pipline"\n  fix: did you mean pipeline?\n');
  });

  it.each([
    ["-o", "json", "run", "--task-type", "t", "--title", "y", "--accept", "z", "--risk", "huge"],
    ["runs", "list", "--limit", "0", "--output=jsonl"],
    ["-o", "jsonl", "nonsense"],
    ["-o", "json", "rewind"],
    ["-o", "json", "runs"],
    ["-o", "json"],
    // What is wrong here is found before the form is read.
    ["--hub", "http://a", "--hub", "http://b", "inbox", "-ojson"],
  ])("reports an error of %j to a program as one line of JSON", async (...args) => {
    const { code, stdout, stderr } = await runBaton(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(stderr)).toMatchObject({ code: "BATON-CLI-001", fix: expect.stringMatching(/./) });
  });

  it.each([
    [["runs", "lst"], 'unknown command "lst"', "did you mean list?"],
    [["runs", "list", "--outptu", "json"], 'unknown option "--outptu"', "did you mean --output?"],
    [["run", "t", "--repo", "."], 'unknown option "--repo"', "did you mean --repository?"],
    [["run", "--task", "t"], 'unknown option "--task"', "did you mean one of --task-type, --task-id?"],
    [["runs", "show"], 'missing required argument "id"', "--help"],
    [["runs", "list", "-o", "xml"], '--output does not accept "xml"', "text, json, jsonl"],
    [["runs", "list", "--limit", "0"], '--limit does not accept "0"', "from 1 to 10000"],
    [["inbox", "--limit", "10001"], '--limit does not accept "10001"', "from 1 to 10000"],
    [["runs", "abort", "x"], "--reason is missing", "add --reason <text>"],
    [["run", "t", "--deadline", "soon"], "--deadline", "such as 2h"],
    [["run", "t", "--input", "novalue"], "--input", "name=text"],
    [["run", "t", "--input", "n:=nojson"], "--input", "write n=text"],
    [["run", "t", "--budget-usd", "-1"], "--budget-usd", "2.50"],
    [["run", "t", "--risk", "huge"], "--risk", "low, normal, critical"],
    [["run", "t", "--title", "a", "--title", "b"], "--title is given twice", "once"],
    [["up", "--config", "a.yaml", "--config", "b.yaml"], "--config is given twice", "once"],
    [["--hub", "http://a", "inbox", "--hub", "http://b"], "--hub is given twice", "once"],
  ])("refuses %j with a fix", async (args, problem, fix) => {
    const refusal = await (await createProgram(args))
      .parseAsync(args, { from: "user" })
      .catch((error: unknown) => error);
    const report = toErrorReport(refusal, nobody);
    expect(report).toMatchObject({ exitCode: 2, detail: { code: "BATON-CLI-001" } });
    expect(report?.detail.message).toContain(problem);
    expect(report?.detail.fix).toContain(fix);
  });
});

describe("without a hub", () => {
  it("says how to start one", async () => {
    expect(await runBaton(list, { hub: nobody })).toMatchObject({
      code: 5,
      stdout: "",
      stderr:
        `BATON-CLI-003  no hub listens at ${nobody}\n` +
        "  fix: start one with: baton up   (or name another with --hub or BATON_HUB)\n",
    });
  });

  it("refuses an address that cannot be one", async () => {
    const [scheme, password] = await Promise.all([
      runBaton([...list, "--hub", "ftp://x"]),
      runBaton([...list, "--hub", "http://me:secret@host"]),
    ]);
    expect([scheme.code, password.code]).toEqual([2, 2]);
    expect(password.stderr).not.toContain("secret");
  });

  it("says so when it is spoken to in TLS and does not speak it", async () => {
    await using hub = await startHub({});
    const address = hub.url.replace("http:", "https:");
    expect(await runBaton(list, { hub: address })).toMatchObject({
      code: 5,
      stderr:
        `BATON-CLI-003  what listens at ${address} does not speak TLS\n` +
        `  fix: use ${hub.url}: a hub speaks plain text unless a proxy before it speaks TLS\n`,
    });
  });

  it("says so when something else listens there", async () => {
    const sockets = new Set<Socket>();
    const other = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    await new Promise<void>((ready) => other.listen(0, "127.0.0.1", ready));
    const address = other.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { code, stderr } = await runBaton(list, { hub: `http://127.0.0.1:${port}` });
    other.close();
    expect(code).toBe(5);
    expect(stderr).toMatch(/^BATON-CLI-003 {2}.*\n {2}fix: /);
  });
});

describe("the key", () => {
  it("comes from a file or the environment and goes to the hub, and nowhere else", async () => {
    await using hub = await startHub({
      orchestrator: {
        listPipelines: () => {
          throw new ConnectError("who are you", Code.Unauthenticated);
        },
      },
    });
    const file = join(folder, "key");
    writeFileSync(file, `${key}\n`);
    const ran = [
      await runBaton([...list, "--api-key-file", file], { hub: hub.url }),
      await runBaton(list, { hub: hub.url, env: { BATON_API_KEY: key } }),
      await runBaton(list, { hub: hub.url }),
    ];
    expect(hub.keys).toEqual([`Bearer ${key}`, `Bearer ${key}`, undefined]);
    for (const { code, stdout, stderr } of ran) {
      expect(code).toBe(6);
      expect(stdout + stderr).not.toContain(key);
      expect(stderr).toContain("--api-key-file");
    }
  });

  it("is refused when it cannot be one, without being shown", async () => {
    const file = join(folder, "two-lines");
    writeFileSync(file, "first-line\nsecond-line\n");
    const { code, stderr } = await runBaton([...list, "--api-key-file", file], { hub: nobody });
    expect([code, stderr.split(" ")[0]]).toEqual([6, "BATON-CLI-007"]);
    expect(stderr).not.toContain("second-line");
  });
});

describe("what the hub answers", () => {
  it("is printed with its code, its fields and its fix, escaped, and nothing twice", async () => {
    const detail = {
      code: "BATON-HUB-007",
      message: "a \u001b[31mreason",
      fix: "wait",
      violations: [
        { field: "filter", rule: "filter.syntax", message: "is no filter" },
        { field: "order_by", rule: "r", message: "a \u001b[31mreason" },
      ],
      retryAfter: { seconds: 2n, nanos: 0 },
    };
    await using hub = await startHub({
      orchestrator: {
        listPipelines: () => {
          throw new ConnectError("", Code.ResourceExhausted, undefined, [
            { desc: ErrorDetailSchema, value: detail },
          ]);
        },
      },
    });
    const ran = await runBaton(list, { hub: hub.url });
    expect(ran.code).toBe(5);
    expect(ran.stderr).toBe(
      "BATON-HUB-007  a \\x1b[31mreason\n  at filter: is no filter\n  at order_by\n  try again in 2s\n  fix: wait\n",
    );
  });

  it("says where a key is put, and not which header carries it", () => {
    const value = { code: "BATON-SERVER-004", message: "a valid key is needed", fix: "send the header" };
    const error = new ConnectError("", Code.Unauthenticated, undefined, [{ desc: ErrorDetailSchema, value }]);
    expect(toErrorReport(error, nobody)?.detail).toMatchObject({
      code: "BATON-SERVER-004",
      fix: "give a key of this hub: in a file that --api-key-file names, or in the variable BATON_API_KEY",
    });
  });

  it.each([
    [Code.InvalidArgument, 2],
    [Code.NotFound, 3],
    [Code.FailedPrecondition, 4],
    [Code.AlreadyExists, 4],
    [Code.Unavailable, 5],
    [Code.ResourceExhausted, 5],
    [Code.Unauthenticated, 6],
    [Code.PermissionDenied, 6],
    [Code.Internal, 1],
  ])("gives the exit code of its class (%i)", (code, expected) => {
    expect(toErrorReport(new ConnectError("a reason", code), nobody)?.exitCode).toBe(expected);
  });

  it("prints no empty default", async () => {
    const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
    const noise = all(await createProgram())
      .map((command) => command.helpInformation())
      .filter((help) => /\(default: (?:\[\]|"")\)/.test(help));
    expect(noise).toEqual([]);
  });

  it("names itself as it was called, so that what it says to type can be typed", async () => {
    const hub = "http://127.0.0.1:1";
    const env = { npm_command: "exec" };
    const byNpx = await runBaton(["runs", "list"], { hub, env });
    expect(byNpx.stderr).toContain("fix: start one with: npx baton up ");
    const itself = await runBaton(["runs", "list"], { hub });
    expect(itself.stderr).toContain("fix: start one with: baton up ");
    const help = await runBaton(["watch", "--help"], { env });
    expect(help.stdout).toContain("\n  npx baton watch --type thought-stream");
    expect(help.stdout).toContain("Usage: npx baton watch");
    expect(help.stdout).toContain("print the version of baton and of its contract");
    const advice = 'fix it, then: baton agent restore dev/d-1 --reason "..."';
    const asked = aQuestion({
      kind: EscalationKind.ROUTING,
      snapshot: { options: ["retry"], recommended: advice },
    });
    await using asking = await startHub({
      orchestrator: { listEscalations: () => ({ escalations: [asked] }) },
    });
    const inbox = await runBaton(["inbox"], { hub: asking.url, env });
    expect(inbox.stdout).toContain("then: npx baton agent restore dev/d-1");
    const typed = await runBaton(["inbox", "--hub", asking.url], { env: { npm_command: "start" } });
    expect(typed.stdout).toContain(`then: npx baton --hub ${asking.url} agent restore dev/d-1`);
  });
});
