import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { leaveTraces } from "../../testing/leftovers.ts";
import { scratchFolder } from "../../testing/real-hub.ts";
import { runBaton, startBaton, startOnTerminal } from "../../testing/run-baton.ts";

const tree = resolve(import.meta.dirname, "../../../..");

/** What a watcher must see, in this order. */
const story = [
  "Baton  hands tasks to AI agents",
  "the agents are scripted: no model is called",
  "hub       ✓ is up at http://127.0.0.1:",
  "code-reviewer: Reviews work by trying it",
  "The task  Turn titles into slugs",
  "implement  attempt 1",
  "routed    to senior-ts-dev, the only candidate: healthy",
  "thinks    Lower case, dashes for spaces. That will do",
  "answers   slugify is there, and its tests pass (1 proof attached)",
  "✓ scope: ",
  'caught    ✗ tests: the agent claimed "2 tests, 2 pass, 0 fail"',
  'the hub ran it: "node --test" ended with 1: fail 1',
  "implement  attempt 2",
  "thinks    Caught: the tests were run, and fail. Then everything but letters and digits goes.\n",
  "runs      ✓ node --test",
  "answers   slugify is there, and its tests pass (1 proof attached)",
  "✓ scope: ",
  '✓ tests: "node --test" ended with 0, run again by the hub',
  "review  attempt 1",
  "routed    to code-reviewer, the only candidate: healthy",
  "runs      ✗ node --input-type=module --eval",
  'WRONG  "Crème Brûlée" → cr-me-br-l-e',
  "rejects   ✗ accented letters get lost",
  "rewind    back to implement, with this as its feedback",
  "implement  attempt 3",
  "thinks    The review says accented letters get lost. So the accents come off first.\n",
  "runs      ✓ node --test",
  "answers   slugify keeps letters that have accents",
  "review  attempt 2",
  'ok     "Crème Brûlée" → creme-brulee',
  "verify  attempt 1",
  "routed    to qa-engineer, the only candidate: healthy",
  "answers   all tests pass, one file changed (2 proofs attached)",
  "The task is completed",
  "stages    3 stages, 6 attempts, 1 sent back",
  "changed   slug.js",
  /spent {5}\d+ steps/,
  /record {4}✓ \d+ audit entries: /,
  "The second task  Keep slugs short",
  "thinks    Shorter than what? The task does not say",
  "asks      How many characters may a slug have? The addresses of the shop have room for 60.",
  'nobody sits at a terminal: the demonstration answers "60" itself',
  "implement  attempt 2",
  'thinks    The answer is "60". So 60 it is, and whole words only.\n',
  "runs      ✓ node --test",
  "answers   slugs have 60 characters at the most (1 proof attached)",
  "verify  attempt 1",
  "The second task is completed",
  "Where to look next",
  "docs/README.md",
];

function expectInOrder(text: string, parts: readonly (string | RegExp)[]): void {
  let rest = text;
  for (const part of parts) {
    const at = typeof part === "string" ? rest.indexOf(part) : rest.search(part);
    expect(at, `"${part}" is not there, or not in its place, in:\n${text}`).toBeGreaterThanOrEqual(0);
    rest = rest.slice(at);
  }
}

/** A git for PATH that notes its first argument, and which protocols it may use. */
function logProtocols() {
  const bin = scratchFolder();
  const log = join(bin, "protocols");
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh\necho "$1 $GIT_ALLOW_PROTOCOL" >> ${log}\nexec ${real} "$@"\n`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  return { bin, protocols: () => new Set(readFileSync(log, "utf8").trimEnd().split("\n")) };
}

describe("the demonstration", () => {
  it("[DIS-09] [PIP-07] [PIP-08] `npm start` in a pipe prints the whole story, ends, and leaves nothing", async () => {
    const traces = leaveTraces();
    const git = logProtocols();
    const child = spawn(process.execPath, [join(tree, "scripts/start.ts")], {
      cwd: tree,
      env: { PATH: `${git.bin}:${process.env.PATH}`, LANG: "C.UTF-8", ...traces.env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    const code = await new Promise((done) => child.on("close", done));
    expectInOrder(printed, story);
    expect(printed).not.toContain("Ctrl-C");
    expect(printed).not.toContain("\u001b");
    expect([code, traces.files(), traces.processes()]).toEqual([0, [], []]);
    // The demonstration makes a repository, the hub works in it; what an agent shows itself is its own affair.
    expect(git.protocols()).toEqual(new Set(["init none", "add none", "commit none", "-c none", "show "]));
  });

  it("[SAC-05] [SAC-07] [SAC-11] [SAC-12] `npm start -- --story workflow` shows a graph of model agents, offline, and leaves nothing", async () => {
    const traces = leaveTraces();
    // A proxy that nothing listens at: what would call out fails.
    const offline = { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" };
    const child = spawn(process.execPath, [join(tree, "scripts/start.ts"), "--story", "workflow"], {
      cwd: tree,
      env: { PATH: process.env.PATH, LANG: "C.UTF-8", ...offline, ...traces.env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    const code = await new Promise((done) => child.on("close", done));
    expectInOrder(printed, [
      "nothing leaves this machine, and nothing is spent",
      "researcher: Finds out what is new",
      "research  attempt 1",
      // Its data goes back once.
      'thinks    The notes name two changes. (success, {"version":"the second"',
      'thinks    The version has to be written as v2.0. (success, {"version":"v2.0"',
      "answers   Two things are new.",
      "write  attempt 1",
      "asks      Who reads the announcement: users of the page, or developers?",
      'the demonstration answers "users of the page" itself',
      "write  attempt 2",
      "edit  attempt 1",
      "rejects   ✗ Begin with what readers gain.",
      "rewind    back to write, with this as its feedback",
      "write  attempt 3",
      "edit  attempt 2",
      "publish  attempt 1",
      "The workflow is completed",
      "1 sent back",
      /record {4}✓ \d+ audit entries: /,
      "The way through the workflow",
      'edge back to "write": taken (1 of 2)',
      'edge from "edit": taken; condition response.data.score > 0.8 (response.data.score = 0.9)',
      'archive   edge from "edit": not taken',
      "examples/announce-a-release holds the prompts",
    ]);
    expect(printed.match(/^[a-z]+ {2}attempt \d+$/gm)).toEqual([
      ...["research  attempt 1", "write  attempt 1", "write  attempt 2", "edit  attempt 1"],
      ...["write  attempt 3", "edit  attempt 2", "publish  attempt 1"],
    ]);
    expect([code, traces.files(), traces.processes()]).toEqual([0, [], []]);
  });

  it("on a terminal it stays, what it says to type works, and Ctrl-C ends it with nothing left", async () => {
    const traces = leaveTraces();
    const running = startOnTerminal(["up", "--demo"], { columns: 80, env: { ...traces.env, NO_COLOR: "1" } });
    await running.printed("Ctrl-C ends it; nothing is left behind");
    const output = running.soFar();
    const hub = /export BATON_HUB=(\S+)/.exec(output)?.[1] ?? "";
    const commands = [...output.matchAll(/^ {2}npx baton (.*?)\r?$/gm)].map(([, line = ""]) =>
      line.split(" "),
    );
    expect(commands.map(([first]) => first)).toEqual(
      ["runs", "runs", "why", "agent", "run"].concat(["inbox", "answer"]),
    );
    // Also the last lines work by themselves: they are what somebody copies.
    expect(output.slice(output.indexOf("It waits for you"))).toContain(`export BATON_HUB=${hub}`);
    const page = /all {7}(http:\S+)\/runs/.exec(output)?.[1] ?? "";
    expect(output).toContain(`waiting   ${page}/inbox`);
    const opened = await fetch(`${page}/inbox`, { headers: { accept: "text/html" } });
    expect(await opened.text()).toContain("<title>");
    // The first signed-in address has scrolled off; the last one signs in too.
    const inbox = /^ {2}(http:\S+)\/inbox#code=(\S+)\r?$/m.exec(
      output.slice(output.indexOf("It waits for you")),
    );
    const signedIn = await fetch(`${inbox?.[1]}/v1/sign-in`, {
      method: "POST",
      body: JSON.stringify({ code: inbox?.[2] }),
    });
    expect(signedIn.status).toBe(200);
    for (const args of commands) {
      const ran = await runBaton([...args, ...(args[0] === "run" ? ["--wait"] : [])], { hub, cwd: tree });
      const notes = ran.stderr.replace(/^(run|answered) .*\n/, "");
      expect({ args, code: ran.code, stderr: notes }).toEqual({ args, code: 0, stderr: "" });
    }
    // It goes on with the typed answer, and stays.
    await running.printed("So 60 it is, and whole words only.");
    await running.printed("The second task is completed");
    running.interrupt();
    const { code } = await running.ended;
    expect([code, traces.files(), traces.processes()]).toEqual([0, [], []]);
  });

  it("leaves nothing when it is ended in the middle", async () => {
    const traces = leaveTraces();
    const running = startBaton(["up", "--demo"], { env: traces.env });
    await running.printed("attempt 1");
    running.child.kill("SIGTERM");
    const { code, stderr } = await running.ended;
    expect([code, stderr, traces.files(), traces.processes()]).toEqual([143, "", [], []]);
  });

  it("leaves no hub and no agent when it is killed", async () => {
    const traces = leaveTraces();
    const running = startBaton(["up", "--demo"], { env: traces.env });
    await running.printed("attempt 1");
    running.child.kill("SIGKILL");
    await running.ended;
    await expect.poll(() => traces.processes(), { timeout: 60_000 }).toEqual([]);
  });

  it("leaves nothing when nobody reads it any more", async () => {
    const traces = leaveTraces();
    const running = startBaton(["up", "--demo"], { env: traces.env });
    await running.printed("agents");
    running.child.stdout?.destroy();
    const { code } = await running.ended;
    await expect.poll(() => traces.processes(), { timeout: 60_000 }).toEqual([]);
    expect([code, traces.files()]).toEqual([141, []]);
  });

  it("says in one line that git is missing", async () => {
    const traces = leaveTraces();
    const bin = join(traces.env.TMPDIR ?? "", "bin");
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, "node"));
    const { code, stdout, stderr } = await runBaton(["up", "--demo"], { env: { ...traces.env, PATH: bin } });
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr).toBe(
      "BATON-CLI-010  the demonstration cannot be run: git is not installed\n  fix: install git\n",
    );
    expect(traces.files()).toEqual(["bin"]);
  });

  it("says in one line that an address is taken", async () => {
    const traces = leaveTraces();
    // It accepts and never answers: what asks who listens there must give up.
    const sockets: Socket[] = [];
    const taken = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
    const address = taken.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const ran = await runBaton(["up", "--demo", "--grpc", `127.0.0.1:${port}`], { env: traces.env });
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => taken.close(done));
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("BATON-CLI-010  the demonstration cannot be run: ");
    expect(ran.stderr).toContain("BATON-SERVER-001");
    expect([traces.files(), traces.processes()]).toEqual([[], []]);
  });

  it.each([
    [["up", "--demo", "--data", "d"], "leave out --data"],
    [["up", "--demo", "--output", "json"], "leave out --output"],
    [["up", "--once"], "--once requires --demo"],
    [["up", "--story", "workflow"], "--story requires --demo"],
  ])("refuses what does not go together: %s", async (args, notes) => {
    const { code, stderr } = await runBaton(args);
    expect(code).toBe(2);
    expect(stderr).toContain(notes);
  });
});
