import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { EnvironmentSchema, WorkspaceSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { commandVerifier } from "../../evidence/command-verifier.ts";
import type { VerifyLimits } from "../../evidence/limits.ts";
import { findSandbox, type SandboxChoice } from "./find-sandbox.ts";
import type { Sandbox, SandboxSettings } from "./sandbox.ts";

function folder(name = "baton-sandboxed-"): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), name)));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

afterEach(() => void vi.unstubAllEnvs());

/** Which of the sandboxes work here; the suites of the others are skipped, and say so. */
const works = new Map<SandboxChoice, boolean>();
for (const choice of ["bubblewrap", "namespaces", "plain"] as const) {
  const isLinux = process.platform === "linux"; // Elsewhere there is no /proc to see by what is left running.
  works.set(choice, isLinux && (await findSandbox(choice)).kind === choice);
}

async function sandboxOf(choice: SandboxChoice, settings: Partial<SandboxSettings> = {}): Promise<Sandbox> {
  const found = await findSandbox(choice, settings);
  if (found.kind === "none") throw new Error(found.reason);
  return found;
}

interface Trial {
  readonly directory?: string;
  readonly limits?: Partial<VerifyLimits>;
  readonly settings?: Partial<SandboxSettings>;
}

/** Lets the hub verify a script in the sandbox, and gives what it saw. */
async function runScript(choice: SandboxChoice, script: string, trial: Trial = {}) {
  const directory = trial.directory ?? folder();
  writeFileSync(join(directory, "check.sh"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(directory, "check.sh"), 0o755);
  return { directory, ...(await runTest(choice, "./check.sh", { ...trial, directory })) };
}

async function runTest(choice: SandboxChoice, testCommand: string, trial: Trial = {}) {
  const { limits, settings, directory = folder() } = trial;
  const sandbox = await sandboxOf(choice, settings);
  const verifier = commandVerifier({ limits: { timeoutMs: 60_000, ...limits }, sandbox });
  const { commands } = await verifier.verify(
    {
      dispatchId: "p/s/1",
      environment: create(EnvironmentSchema, { testCommand }),
      workspace: create(WorkspaceSchema, { repository: directory }),
    },
    new AbortController().signal,
  );
  const [seen] = commands;
  if (!seen) throw new Error("nothing was run");
  return seen;
}

/** Processes of this machine whose command line holds a text. */
function processesWith(text: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });
}

describe.each(["bubblewrap", "namespaces", "plain"] as const)("a command in the sandbox %s", (choice) => {
  const test = it.skipIf(!works.get(choice));

  test("[PIP-07] runs as an argument list, with variables of a short list and a home of its own", async () => {
    vi.stubEnv("BATON_TEST_SECRET", "of-the-hub");
    const { passed, output, sandbox } = await runScript(
      choice,
      'env; touch "$HOME/a" "$TMPDIR/b"; echo "args:$#"',
    );
    const names = [...output.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    const known = [
      "PATH",
      "LANG",
      "LC_ALL",
      "TZ",
      "HOME",
      "TMPDIR",
      "BATON_RUN",
      "PWD",
      "SHLVL",
      "_",
      "OLDPWD",
    ];
    expect(names.filter((name) => !known.includes(name ?? ""))).toEqual([]);
    expect(output).not.toContain(`HOME=${homedir()}\n`);
    expect({ passed, sandbox }).toEqual({ passed: true, sandbox: choice });
  });

  test("[PIP-07] leaves no process behind, also outside of its group and session", async () => {
    const mark = `8${Date.now() % 100_000}.5`;
    const code = [
      "const { spawn } = require('child_process');",
      `for (const way of [['sleep','${mark}'],['setsid','sleep','${mark}'],['sh','-c','(setsid sleep ${mark} &) &']])`,
      "  spawn(way[0], way.slice(1), { detached: true, stdio: 'ignore' }).unref();",
      "setTimeout(() => process.exit(0), 300);",
    ].join("\n");
    const directory = folder();
    writeFileSync(join(directory, "daemon.cjs"), code);
    const { passed } = await runTest(choice, "node daemon.cjs", { directory });
    expect(passed).toBe(true);
    // The kernel ends what is left in a namespace a moment after its first process.
    await expect.poll(() => processesWith(mark), { timeout: 20_000 }).toEqual([]);
  });

  test("[PIP-07] is killed with its child processes on timeout, also when it ignores SIGTERM", async () => {
    const mark = `7${Date.now() % 100_000}.5`;
    const script = `trap '' TERM INT HUP; setsid sleep ${mark} & while :; do sleep ${mark}; done`;
    const { passed, output, exitCode } = await runScript(choice, script, { limits: { timeoutMs: 700 } });
    expect({ passed, exitCode }).toEqual({ passed: false, exitCode: -1 });
    expect(output).toContain("killed after 0.7 s");
    expect(processesWith(mark)).toEqual([]);
  });

  test("[PIP-07] is killed when it prints without end, and the end of its output is retained", async () => {
    const limits = { printedBytes: 300_000, outputBytes: 2_000 };
    const { passed, output } = await runTest(choice, "yes again", { limits });
    expect(passed).toBe(false);
    expect(output).toContain("bytes left out");
    expect(output).toContain("killed because it printed more than 300000 bytes");
    expect(output.length).toBeLessThan(3_000);
  });

  test("[PIP-07] may print binary data", async () => {
    const { passed, output } = await runTest(choice, "head -c 4096 /dev/urandom");
    expect(passed).toBe(true);
    expect(output).toContain("\uFFFD");
    expect(output.isWellFormed()).toBe(true);
  });

  test("[PIP-07] may close its pipes, and the hub still waits for it", async () => {
    const { directory, passed } = await runScript(choice, "exec >&- 2>&-; sleep 0.3; touch done");
    expect(passed).toBe(true);
    expect(existsSync(join(directory, "done"))).toBe(true);
  });

  test("[PIP-07] fails when it is missing, not executable, or not a file", async () => {
    const directory = folder();
    writeFileSync(join(directory, "notes.txt"), "text");
    mkdirSync(join(directory, "bin"));
    const expected = {
      "no-such-program-here": '"no-such-program-here" is not on the hub\'s PATH',
      "./absent.sh": '"./absent.sh" does not exist',
      "./notes.txt": '"./notes.txt" is not executable',
      "./bin": '"./bin" is not a file',
    };
    for (const [command, reason] of Object.entries(expected)) {
      const { passed, exitCode, output } = await runTest(choice, command, { directory });
      expect({ passed, exitCode, output }).toEqual({
        passed: false,
        exitCode: -1,
        output: `cannot start: ${reason}`,
      });
    }
  });

  test("[PIP-07] cannot exceed the limits of file size and memory", async () => {
    const settings = { fileBytes: 1_000_000, memoryBytes: 300_000_000 };
    const large = await runTest(choice, "dd if=/dev/zero of=large bs=1000 count=3000", { settings });
    expect(large.passed).toBe(false);
    const script = "python3 -c \"x = b'x' * 900000000; print('had it')\" || exit 3";
    const greedy = await runScript(choice, script, { settings });
    expect([greedy.exitCode, greedy.output.includes("had it")]).toEqual([3, false]);
  });
});

describe.each(["bubblewrap", "namespaces"] as const)("a command apart in %s", (choice) => {
  const test = it.skipIf(!works.get(choice));

  test("[PIP-07] cannot change settings of the machine in /proc", async () => {
    const { output } = await runScript(choice, "echo renamed > /proc/self/comm");
    expect(output).toContain("Read-only file system");
  });

  test("[PIP-07] has no network, not even the hub's own machine", async () => {
    const server = createServer((socket) => socket.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const code = `require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d))).on('error', (e) => { console.log(e.code); process.exit(5); })`;
    const directory = folder();
    writeFileSync(join(directory, "call.cjs"), code);
    const { exitCode, output } = await runTest(choice, "node call.cjs", { directory });
    expect({ exitCode, output }).toMatchObject({ exitCode: 5 });
    expect(output).not.toContain("reached");
    const open = await runTest(choice, "node call.cjs", { directory, settings: { network: true } });
    expect(open.output).toContain("reached");
  });

  test("[PIP-07] cannot move away the folders around the hub's data and its configuration", async () => {
    const directory = folder();
    const project = join(directory, "inner/project");
    const [data, packs] = [join(project, ".baton"), join(project, "packs")];
    for (const path of [data, packs]) mkdirSync(path, { recursive: true });
    const script = [
      "for path in inner inner/project inner/project/packs; do",
      `  python3 -c "import os; os.rename('$path', 'other')" 2> /dev/null && echo "moved $path"`,
      "done; touch inner/project/made; echo end",
    ].join("\n");
    const settings = { hidden: [data], fixed: [packs] };
    const { output } = await runScript(choice, script, { directory, settings });
    expect(output).toBe("end\n");
    expect(readdirSync(project).toSorted()).toEqual([".baton", "made", "packs"]);
  });

  test("[PIP-07] sees no process but its own", async () => {
    const { output } = await runScript(choice, "ls /proc | grep -c '^[0-9]*$'");
    expect(Number(output)).toBeLessThan(10);
  });
});

describe("namespaces, where there is no bubblewrap", () => {
  const test = it.skipIf(!works.get("namespaces"));

  /** A project in the user's home, with the hub's data in it. */
  function place() {
    const home = folder("baton-home-");
    vi.stubEnv("HOME", home);
    const directory = join(home, "shop");
    const data = join(directory, ".baton");
    for (const path of [join(home, ".ssh"), data]) mkdirSync(path, { recursive: true });
    writeFileSync(join(home, ".ssh", "id"), "the key");
    writeFileSync(join(data, "hub.db"), "the record");
    writeFileSync(join(directory, "keys.yaml"), "the keys");
    writeFileSync(join(directory, "notes"), "of the task");
    return { home, directory, data, hidden: [data, join(directory, "keys.yaml")] };
  }

  test("[PIP-07] cover the home, the hub's data and its keys, and leave the workspace", async () => {
    const { home, directory, data, hidden } = place();
    const script = `cat ${home}/.ssh/id; cat ${data}/hub.db; cat keys.yaml; ls -A ${home} ${data}; cat notes; echo y > made`;
    const { output } = await runScript("namespaces", script, { directory, settings: { hidden } });
    expect(output).not.toMatch(/the (record|keys?)/);
    expect(output).not.toContain(".ssh\n");
    expect(output).toContain("of the task");
    expect(readFileSync(join(directory, "made"), "utf8")).toBe("y\n");
    expect(readFileSync(join(home, ".ssh", "id"), "utf8")).toBe("the key");
  });

  test("[PIP-07] cannot be uncovered by the command", async () => {
    const { home, directory, data, hidden } = place();
    const script = [
      `umount -l ${home}; umount -l ${data}; mount -t tmpfs x ${home}`,
      `unshare -Urm sh -c 'umount -l ${data}; umount -l ${home}; cat ${data}/hub.db ${home}/.ssh/id'`,
      `for p in /proc/[0-9]*; do cat $p/root${data}/hub.db $p/root${home}/.ssh/id; done`,
      `find / -xdev -maxdepth 4 \\( -name hub.db -o -name id -path '*.ssh*' \\) -exec cat {} +`,
      `cat ${data}/hub.db ${home}/.ssh/id keys.yaml; echo end`,
    ].join("\n");
    const { output } = await runScript("namespaces", script, { directory, settings: { hidden } });
    expect(output).toContain("end");
    expect(output).not.toMatch(/the (record|keys?)/);
  });
});

describe("bubblewrap", () => {
  const test = it.skipIf(!works.get("bubblewrap"));

  test("[PIP-07] shows neither the user's home, nor the hub's data, nor other workspaces", async () => {
    const [data, other] = [folder("baton-data-"), folder("baton-other-")];
    writeFileSync(join(data, "hub.db"), "the record");
    writeFileSync(join(other, "notes"), "of another task");
    const home = folder("baton-home-");
    vi.stubEnv("HOME", home);
    mkdirSync(join(home, ".ssh"));
    writeFileSync(join(home, ".ssh", "id"), "the key");
    const script = `cat ~/.ssh/id ${home}/.ssh/id; cat ${data}/hub.db ${other}/notes; ls -A ${data}; cat /etc/shadow`;
    const { output } = await runScript("bubblewrap", script, { settings: { hidden: [data] } });
    expect(output).not.toContain("the record");
    expect(output).not.toContain("of another task");
    expect(output).not.toContain("the key");
    expect(output).toMatch(/\/etc\/shadow.*No such file/);
  });

  test("[PIP-07] hides what lies within the workspace, and shows a workspace within what is hidden", async () => {
    const directory = folder();
    mkdirSync(join(directory, ".baton"));
    writeFileSync(join(directory, ".baton", "hub.db"), "the record");
    writeFileSync(join(directory, "keys.yaml"), "the keys");
    const hidden = [join(directory, ".baton"), join(directory, "keys.yaml")];
    const inner = await runScript("bubblewrap", "cat .baton/hub.db; cat keys.yaml; echo end", {
      directory,
      settings: { hidden },
    });
    expect(inner.output).not.toMatch(/the (record|keys)/);
    expect(inner.output).toContain("end");

    const data = folder("baton-data-");
    writeFileSync(join(data, "hub.db"), "the record");
    mkdirSync(join(data, "work"));
    const within = await runScript("bubblewrap", `touch made; ls ${data}`, {
      directory: join(data, "work"),
      settings: { hidden: [data] },
    });
    expect(within.output).toBe("work\n");
    expect(existsSync(join(data, "work", "made"))).toBe(true);
  });

  test("[PIP-07] lets only the workspace and the run's own folders be written", async () => {
    const script = [
      "for path in /usr/x /etc/x /x /proc/sys/kernel/core_pattern /home/x; do",
      '  if ( : >> "$path" ) 2>/dev/null; then echo "could write $path"; fi',
      "done; echo y > mine && echo y > /tmp/y && echo fine",
    ].join("\n");
    const { output, directory } = await runScript("bubblewrap", script);
    expect(output).toBe("fine\n");
    expect(readFileSync(join(directory, "mine"), "utf8")).toBe("y\n");
  });

  test("[PIP-07] mounts configured folders read-only", async () => {
    const cache = folder("baton-cache-");
    writeFileSync(join(cache, "package"), "content");
    const script = `cat ${cache}/package; echo more > ${cache}/package || echo refused`;
    const { output } = await runScript("bubblewrap", script, { settings: { readable: [cache] } });
    expect(output).toContain("content");
    expect(output).toContain("refused");
  });

  test("[PIP-07] does not follow the agent's links out of the workspace to find a program", async () => {
    const directory = folder();
    const outside = folder("baton-outside-");
    mkdirSync(join(outside, "bin"));
    writeFileSync(join(outside, "bin", "tool"), "#!/bin/sh\necho outside");
    chmodSync(join(outside, "bin", "tool"), 0o755);
    execFileSync("ln", ["-s", join(outside, "bin", "tool"), join(directory, "tool")]);
    const { passed, output } = await runTest("bubblewrap", "./tool", { directory });
    expect(passed).toBe(false);
    expect(output).not.toContain("outside\n");
  });

  test("[PIP-07] limits the number of processes, unless the hub runs as root", async () => {
    vi.stubEnv("PATH", "/usr/bin:/bin");
    const [directory, home, temporary] = [folder(), folder(), folder()];
    for (const path of [directory, home, temporary]) chmodSync(path, 0o777);
    const program = "i=0; while [ $i -lt 200 ]; do sleep 5 & i=$((i+1)); done; echo all of them";
    const sandbox = await sandboxOf("bubblewrap", { processes: 40 });
    const { file, args } = sandbox.enclose(
      { file: "/bin/sh", args: ["-c", program], needs: [] },
      { directory, own: { home, temporary } },
    );
    const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    const [first = "", ...rest] = [...(process.getuid?.() === 0 ? asNobody : []), file, ...args];
    const { stdout, stderr } = spawnSync(first, rest, { encoding: "utf8" });
    expect(stdout).not.toContain("all of them");
    expect(stderr).toMatch(/fork/i);
  });

  test("[PIP-07] ends with the hub", async () => {
    const mark = `6${Date.now() % 100_000}.5`;
    const hub = join(folder(), "hub.mjs");
    const source = join(import.meta.dirname, "find-sandbox.ts");
    writeFileSync(
      hub,
      [
        `import { findSandbox } from ${JSON.stringify(source)};`,
        `import { withOwnFolder } from ${JSON.stringify(join(import.meta.dirname, "own-folder.ts"))};`,
        `import { runCommand } from ${JSON.stringify(join(import.meta.dirname, "../run-command.ts"))};`,
        'const sandbox = await findSandbox("bubblewrap");',
        "void withOwnFolder(async (own) => {",
        `  const made = sandbox.enclose({ file: "/usr/bin/setsid", args: ["sleep", "${mark}"], needs: [] }, { directory: process.cwd(), own });`,
        "  await runCommand({ ...made, directory: process.cwd(), onlyEnv: made.env }, { timeoutMs: 60000, outputBytes: 1000 }, new AbortController().signal);",
        "});",
        'setTimeout(() => process.kill(process.pid, "SIGKILL"), 700);',
      ].join("\n"),
    );
    try {
      execFileSync(process.execPath, [hub], { cwd: folder(), stdio: "pipe" });
    } catch {
      // It has killed itself.
    }
    const gone = async (times: number): Promise<boolean> => {
      if (processesWith(mark).length === 0) return true;
      if (times === 0) return false;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return gone(times - 1);
    };
    expect(await gone(100)).toBe(true);
  });
});

describe("which sandbox is used", () => {
  /** A PATH with these programs of the system alone. */
  function onlyTools(...names: readonly string[]): string {
    const tools = folder("baton-tools-");
    for (const name of ["test", ...names]) {
      const real = execFileSync("which", [name], { encoding: "utf8" }).trim();
      execFileSync("ln", ["-s", real, join(tools, name)]);
    }
    vi.stubEnv("PATH", tools);
    return tools;
  }

  it.skipIf(!works.get("namespaces"))(
    "[PIP-07] is the best that works, and says what a weaker one lacks and why there is no better one",
    async () => {
      onlyTools("unshare", "setpriv", "sh", "mount", "umount", "mkdir", "dirname");
      const found = await findSandbox("auto");
      expect(found.kind).toBe("namespaces");
      expect(found).toMatchObject({ warning: expect.stringContaining("bubblewrap: bwrap is not installed") });
    },
  );

  it("[PIP-07] is none when nothing hides the hub's data: plain is used only when named", async () => {
    onlyTools();
    expect(await findSandbox("auto")).toEqual({
      kind: "none",
      reason: "bubblewrap: bwrap is not installed; namespaces: unshare and setpriv are not installed",
    });
    expect((await findSandbox("plain")).kind).toBe("plain");
  });

  it("[PIP-07] is not one that runs commands and hides nothing", async () => {
    const tools = onlyTools();
    writeFileSync(
      join(tools, "bwrap"),
      '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n'.replace(
        "/bin/sh",
        realpathSync("/bin/sh"),
      ),
    );
    chmodSync(join(tools, "bwrap"), 0o755);
    expect(await findSandbox("required")).toEqual({
      kind: "none",
      reason: "bubblewrap: it does not hide files",
    });
  });

  it("[PIP-07] is found by running it: one that is installed but not permitted is not used", async () => {
    const tools = onlyTools();
    writeFileSync(
      join(tools, "bwrap"),
      "#!/bin/sh\necho 'No permissions to create new namespace' >&2; exit 1\n",
    );
    chmodSync(join(tools, "bwrap"), 0o755);
    expect(await findSandbox("auto")).toMatchObject({
      kind: "none",
      reason: expect.stringContaining("No permissions to create"),
    });
    expect(await findSandbox("required")).toEqual({
      kind: "none",
      reason: "bubblewrap: No permissions to create new namespace",
    });
  });

  it("[PIP-07] is none when the required one does not work: nothing runs, and no check passes", async () => {
    const directory = folder();
    const verifier = commandVerifier({
      sandbox: { kind: "none", reason: "bubblewrap: it is not installed" },
    });
    const seen = await verifier.verify(
      {
        dispatchId: "p/s/1",
        environment: create(EnvironmentSchema, { testCommand: "touch ran" }),
        workspace: create(WorkspaceSchema, { repository: directory }),
      },
      new AbortController().signal,
    );
    expect(seen).toMatchObject({
      commands: [],
      unseen: "no sandbox is available, and one is required: bubblewrap: it is not installed",
    });
    expect(existsSync(join(directory, "ran"))).toBe(false);
  });
});
