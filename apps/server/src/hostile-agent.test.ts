/** Agents whose command is a program that tries everything, on a real hub. What gets through is a fault of the hub. */
import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HealthStatus, PipelineStatus, RiskTier } from "@baton/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeRepository, startHubProcess, writeFiles } from "../testing/hub-process.ts";

const pack = (id: string, more = "") => `profession_pack:
  pack_id: ${id}
  pack_version: "1.0.0"
  supported_task_types: [${id}]
  provided_tools: [node]
  command: { run: [node, "{pack}/agent.mjs"], timeout: 120s${more} }
`;

/** Tries to read files, to write files, to call addresses and to run programs, and reports what came back. */
const attempt = `
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, statSync } from "node:fs";
const { inputs } = JSON.parse(readFileSync(0, "utf8"));
const probe = JSON.parse(inputs.probe);
const data = { cwd: process.cwd(), home: process.env.HOME, inherited: process.env.HUB_SECRET ?? "" };
const tried = async (things, act) => {
  const out = {};
  for (const thing of things ?? []) {
    try { out[thing] = String(await act(thing)).slice(0, 200); } catch (error) { out[thing] = "failed " + (error.code ?? error.name); }
  }
  return out;
};
data.read = await tried(probe.read, (path) => statSync(path).isDirectory() ? readdirSync(path).join(" ") : readFileSync(path, "utf8"));
data.wrote = await tried(probe.write, (path) => { appendFileSync(path, "agent\\n"); return "wrote"; });
data.called = await tried(probe.call, async (url) => (await fetch(url, { signal: AbortSignal.timeout(20000) })).status);
data.posted = await tried(probe.post, async (line) => {
  const space = line.indexOf(" ");
  const headers = { "content-type": "application/json" };
  const body = line.slice(space + 1);
  const answer = await fetch(line.slice(0, space), { method: "POST", headers, body, signal: AbortSignal.timeout(20000) });
  return answer.status;
});
data.ran = await tried(probe.run, (line) => execFileSync("sh", ["-c", line], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
for (const mark of probe.leave ?? []) {
  spawn("setsid", ["sleep", mark], { detached: true, stdio: "ignore" }).unref();
  spawn("sh", ["-c", "(setsid env -i sleep " + mark + " &) &"], { detached: true, stdio: "ignore" }).unref();
}
await new Promise((resolve) => setTimeout(resolve, 200));
console.log(JSON.stringify({ status: "success", summary: "tried", data }));
`;

interface Probe {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly call?: readonly string[];
  /** Each an address, a blank, and the body. */
  readonly post?: readonly string[];
  readonly run?: readonly string[];
  readonly leave?: readonly string[];
}

interface Report {
  readonly cwd: string;
  readonly home: string;
  readonly inherited: string;
  readonly read: Readonly<Record<string, string>>;
  readonly wrote: Readonly<Record<string, string>>;
  readonly called: Readonly<Record<string, string>>;
  readonly posted: Readonly<Record<string, string>>;
  readonly ran: Readonly<Record<string, string>>;
}

/** Node itself closes the first sixteen. */
const openedFd = 40;

/** A home with a key, a project with packs and a keyless hub, and a repository. */
async function scene(packs: Readonly<Record<string, string>>) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "baton-hostile-")));
  const folder = join(home, "work/project");
  writeFiles(home, { ".ssh/id": "the private key\n", ".config/tool/login": "token of the tool\n" });
  for (const [id, more] of Object.entries(packs))
    writeFiles(folder, {
      [`packs/${id}/profession-pack.yaml`]: pack(id, more),
      [`packs/${id}/agent.mjs`]: attempt,
    });
  const shop = makeRepository(join(home, "shop"), { "README.md": "a shop\n" });
  const env = { HOME: home, HUB_SECRET: "s3cr3t-of-this-machine" };
  const ends: (() => Promise<void>)[] = [];
  // The process that starts the hub may have a folder open, which is inherited unnoticed.
  const opened = openSync(home, "r");
  const inherited = [...Array<"ignore">(openedFd - 3).fill("ignore"), opened];
  const hub = await startHubProcess(folder, { env, inherited, onEnd: (end) => ends.push(end) });
  closeSync(opened);
  let count = 0;
  const submit = async (id: string, probe: Probe, workspace: object = { repository: shop }) => {
    const { pipeline } = await hub.orchestrator.submitTask({
      ...{ idempotencyKey: `${id}-${++count}`, riskTier: RiskTier.LOW, workspace },
      plan: { case: "taskType", value: id },
      contract: { taskId: id, title: "Try", acceptanceCriteria: ["it tried"] },
      inputs: { probe: JSON.stringify(probe) },
    });
    return hub.settles(pipeline?.pipelineId ?? "");
  };
  const report = async (id: string, probe: Probe, workspace?: object) => {
    const { status, statusReason, stages } = await submit(id, probe, workspace);
    if (status !== PipelineStatus.COMPLETED) throw new Error(statusReason);
    return { ...(stages[0]?.result?.response?.data as unknown as Report), commit: stages[0]?.commit ?? "" };
  };
  const end = async () => {
    for (const one of ends) await one();
    rmSync(home, { recursive: true, force: true });
  };
  return { home, folder, data: join(folder, ".baton"), shop, hub, submit, report, end };
}

const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trimEnd();

function contentOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Processes of this machine whose command line holds a text. */
function processesWith(text: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });
}

describe("an agent in the sandbox", () => {
  let here: Awaited<ReturnType<typeof scene>>;
  beforeAll(async () => {
    here = await scene({
      dev: "",
      other: "",
      online: ", network: true, home: [.config/tool], home_writable: [.cache]",
      reader: ", home: [.cache/tool]",
      greedy: ", memory_limit: 2000000000",
      loose: ', sandbox: "off"',
    });
  }, 120_000);
  afterAll(() => here.end());

  it("[TRN-03] reads neither home, data, keys, other packs nor other workspaces, and has no secret of the hub", async () => {
    const { home, folder, data, shop, report } = here;
    const first = await report("other", {});
    const [own, kept] = [join(folder, "packs/dev/agent.mjs"), join(first.cwd, "README.md")];
    const forbidden = [
      ...[join(home, ".ssh/id"), join(data, "baton.key"), join(folder, "packs/other")],
      ...[join(shop, "README.md"), join(shop, ".git/config"), kept],
    ];
    const seen = await report("dev", { read: [...forbidden, data, home, own] });
    for (const path of forbidden) expect([path, seen.read[path]]).toEqual([path, "failed ENOENT"]);
    // Folders on the way to its workspace are there, and hold nothing else.
    expect(seen.read[data]).toMatch(/^(scratch|workspaces| )*$/);
    expect(seen.read[home]).toMatch(/^(work|shop| )*$/);
    expect(seen.read[own]).not.toMatch(/^failed/);
    expect([seen.inherited, seen.home]).toEqual(["", "/home/baton"]);
  });

  it("[TRN-03] finds nothing open that the starter of the hub had open", async () => {
    const { read } = await here.report("dev", {
      read: [`/proc/self/fd/${openedFd}`, `/proc/self/fd/${openedFd}/.ssh/id`],
    });
    for (const outcome of Object.values(read)) expect(outcome).toBe("failed ENOENT");
  });

  it("[TRN-03] changes its workspace, and neither its pack, the user's checkout, nor the hooks and settings of the repository", async () => {
    const { folder, home, shop, report } = here;
    const outside = [
      ...["README.md", ".git/config", ".git/hooks/pre-commit", ".git/HEAD"].map((name) => join(shop, name)),
      ...[
        join(folder, "packs/dev/agent.mjs"),
        join(home, ".bashrc"),
        "/etc/hosts",
        "/usr/bin/baton-was-here",
      ],
    ];
    const before = outside.map(contentOf);
    const mine = "written.txt";
    const { wrote, ran, commit } = await report("dev", {
      write: [...outside, mine],
      run: ["git add -A && git commit -qm 'by the agent' && git log --oneline | wc -l"],
    });
    expect(outside.map(contentOf)).toEqual(before);
    // What it wrote below /tmp is in a folder of its own, which is gone.
    for (const path of outside.filter((one) => !one.startsWith(tmpdir())))
      expect([path, wrote[path]]).toEqual([path, expect.stringMatching(/^failed/)]);
    expect(wrote[join(folder, "packs/dev/agent.mjs")]).toMatch(/^failed/);
    expect(wrote[mine]).toBe("wrote");
    expect(Object.values(ran)).toEqual(["2\n"]);
    expect(git(shop, "show", `${commit}:${mine}`)).toBe("agent");
  });

  it("[TRN-03] in a folder that it shares with its user, cannot let git run programs for its next user", async () => {
    const shared = makeRepository(join(here.home, "shared"), { "README.md": "shared\n" });
    const { wrote, ran } = await here.report(
      "dev",
      {
        write: [".git/config", ".git/hooks/pre-commit", ".git/commondir", ".git/config.worktree", "new.txt"],
        run: ["mv .git .git2", "rm -rf .git/hooks && mkdir .git/hooks", "git config core.fsmonitor true"],
      },
      { repository: shared, path: shared },
    );
    expect(wrote).toEqual({
      ".git/config": "failed EROFS",
      ".git/hooks/pre-commit": "failed EROFS",
      ".git/commondir": "failed EROFS",
      ".git/config.worktree": "failed EROFS",
      "new.txt": "wrote",
    });
    for (const outcome of Object.values(ran)) expect(outcome).toMatch(/^failed/);
    expect(readdirSync(join(shared, ".git"))).not.toContain("commondir");
    expect(contentOf(join(shared, "new.txt"))).toBe("agent\n");
    expect(git(shared, "config", "--local", "--list")).not.toContain("fsmonitor");
  });

  it("[TRN-03] in the folder of the project, cannot change what the hub runs and how", async () => {
    const { folder, report } = here;
    const { wrote, ran } = await report(
      "dev",
      {
        write: ["packs/dev/profession-pack.yaml", "config/routing-policy.yaml", "notes.txt"],
        run: ["mkdir packs/evil", "mv packs away", "mv config away", "rm -r packs"],
      },
      { repository: folder, path: folder },
    );
    expect(wrote).toMatchObject({
      "packs/dev/profession-pack.yaml": "failed EROFS",
      "config/routing-policy.yaml": "failed EROFS",
      "notes.txt": "wrote",
    });
    for (const outcome of Object.values(ran)) expect(outcome).toMatch(/^failed/);
    expect(readdirSync(join(folder, "packs")).toSorted()).toEqual([
      "dev",
      "greedy",
      "loose",
      "online",
      "other",
      "reader",
    ]);
  });

  it("[TRN-03] in a folder around that of the project, cannot put another project in its place", async () => {
    const { folder, report } = here;
    const around = join(folder, "..");
    const before = readdirSync(folder);
    const { ran } = await report(
      "dev",
      { run: ["mv project away", "mv project/.baton project/old", "echo mine >> project/notes.txt"] },
      { repository: around, path: around },
    );
    expect(Object.values(ran)).toEqual(["failed Error", "failed Error", ""]);
    expect(readdirSync(folder).toSorted()).toEqual([...new Set([...before, "notes.txt"])].toSorted());
  });

  it("[TRN-03] makes no link by which a later attempt sees more: not for packages, and not in the home", async () => {
    const { folder, home, data, hub, report, submit } = here;
    writeFiles(home, { ".cache/tool/settings": "old\n" });
    const packages = join(folder, "node_modules");
    for (const private_ of [join(home, ".ssh"), data]) {
      const link = `rm -f node_modules && ln -s ${private_} node_modules`;
      await report("dev", { run: [link] }, { repository: folder, path: folder });
      expect(realpathSync(packages)).toBe(private_);
      const { read } = await report("other", { read: [packages, `${packages}/id`, `${packages}/baton.key`] });
      for (const [path, outcome] of Object.entries(read))
        expect([path, outcome]).toEqual([path, "failed ENOENT"]);
    }
    rmSync(packages);
    const link = `rm -r /home/baton/.cache/tool && ln -s ${home}/.ssh /home/baton/.cache/tool`;
    await report("online", { run: [link] });
    expect(realpathSync(join(home, ".cache/tool"))).toBe(join(home, ".ssh"));
    const { status, pipelineId } = await submit("reader", { read: ["/home/baton/.cache/tool/id"] });
    expect(status).not.toBe(PipelineStatus.COMPLETED);
    const { entries } = await hub.audit.listAuditEntries({
      filter: `pipeline_id = "${pipelineId}"`,
      pageSize: 100,
    });
    const reasons = entries.map(({ rationale }) => rationale).join("\n");
    expect(reasons).toContain(
      'its pack lists ".cache/tool" of the home, where an agent may have made a link',
    );
  });

  it("[TRN-03] reaches neither the network nor the hub unless its pack has the network", async () => {
    const { hub, report } = here;
    const call = [`${hub.http}/readyz`];
    expect(Object.values((await report("dev", { call })).called)).toEqual(["failed TypeError"]);
    expect(Object.values((await report("online", { call })).called)).toEqual(["200"]);
  });

  it("[TRN-03] [PIP-06] with the network, decides nothing, and has no attempt started in a folder of the machine", async () => {
    const { hub, home, shop, report, submit } = here;
    const { stages, pipelineId } = await submit("dev", {});
    const api = `${hub.http}/vasini.agent.v1`;
    const run = { pipelineId, reason: "because", stageId: stages[0]?.stageId };
    const decisions = ["ReviewStage", "AbortPipeline", "ResumePipeline", "RewindPipeline", "OverrideStage"];
    const contract = { taskId: "t", title: "Try", acceptanceCriteria: ["it tried"] };
    const task = { idempotencyKey: "from-within", taskType: "dev", contract };
    const folders = [
      { path: home, repository: home },
      { path: join(home, "work"), repository: shop },
      { repository: shop },
    ];
    const { posted } = await report("online", {
      post: [
        ...decisions.map((method) => `${api}.OrchestratorService/${method} ${JSON.stringify(run)}`),
        `${api}.RegistryService/RestoreAgent {"packId":"dev","instanceId":"dev-command","reason":"r"}`,
        ...folders.map(
          (workspace) => `${api}.OrchestratorService/SubmitTask ${JSON.stringify({ ...task, workspace })}`,
        ),
        `${hub.http}/v1/sign-in/codes {}`,
      ],
    });
    expect(Object.values(posted)).toEqual([
      ...Array(decisions.length + 1 + folders.length).fill("403"),
      "401",
    ]);
  });

  it("[TRN-03] alters neither the store nor the record, and puts nothing in their place", async () => {
    const { data, report } = here;
    const keys = ["audit.key", "baton.key", "operator.token"].map((name) => join(data, name));
    const before = keys.map(contentOf);
    const { ran } = await report("dev", {
      write: [...keys, join(data, "baton.db"), join(data, "new")],
      run: [`rm -rf ${data}/*.db ${data}/audit*; mv ${data} ${data}-old`, `ln -sfn /tmp ${data}/scratch`],
    });
    expect(Object.values(ran)[0]).toMatch(/^failed/);
    expect(before).not.toContain("");
    expect(keys.map(contentOf)).toEqual(before);
    expect(readdirSync(data)).toContain("baton.db");
    expect(readdirSync(data)).not.toContain("new");
    expect((await here.hub.audit.verifyAudit({})).valid).toBe(true);
  });

  it("[TRN-03] does not speak for another agent that the hub starts, to have it taken for broken", async () => {
    const { hub, report } = here;
    const heartbeat = { packId: "other", instanceId: "other-command", packVersion: "1.0.0" };
    const health = { status: HealthStatus.UNHEALTHY };
    await expect(hub.registry.sendHeartbeat({ heartbeat: { ...heartbeat, health } })).rejects.toThrow(
      "is a command that the hub starts itself",
    );
    expect((await report("other", {})).home).toBe("/home/baton");
  });

  it("[TRN-03] finds of the home what its pack lists, and changes it only where the pack says so", async () => {
    writeFiles(here.home, { ".cache/state": "old\n" });
    const login = "/home/baton/.config/tool/login";
    const { read, wrote } = await here.report("online", {
      read: [login],
      write: [login, "/home/baton/.cache/state"],
    });
    expect(read).toEqual({ [login]: "token of the tool\n" });
    expect(wrote).toEqual({ [login]: "failed EROFS", "/home/baton/.cache/state": "wrote" });
    expect(contentOf(join(here.home, ".config/tool/login"))).toBe("token of the tool\n");
    expect(contentOf(join(here.home, ".cache/state"))).toBe("old\nagent\n");
  });

  it("[TRN-03] leaves nothing running, however far it went away", async () => {
    const mark = `9${Date.now() % 100_000}.25`;
    await here.report("dev", { leave: [mark] });
    await expect.poll(() => processesWith(mark), { timeout: 20_000 }).toEqual([]);
  });

  it("[TRN-03] is what the kernel ends, and not the hub, when the machine has no memory left", async () => {
    const { read } = await here.report("dev", { read: ["/proc/self/oom_score_adj"] });
    expect(Object.values(read)).toEqual(["1000\n"]);
  });

  it("[TRN-03] holds no more memory than its pack allows", async () => {
    const { ran } = await here.report("greedy", {
      run: ["python3 -c \"x = b'x' * 4000000000; print('had it')\""],
    });
    expect(Object.values(ran)).toEqual([expect.stringMatching(/^failed/)]);
  });

  it("[TRN-03] that runs without a sandbox is marked in the list of agents, readiness, the record and its results", async () => {
    const { hub, submit } = here;
    const { agents } = await hub.registry.listAgents({});
    const kinds = Object.fromEntries(agents.map(({ heartbeat, sandbox }) => [heartbeat?.packId, sandbox]));
    expect(kinds).toMatchObject({ dev: "bubblewrap", loose: "off" });
    expect(await hub.warnings()).toContain("run without a sandbox: 1 of 6 command agents");
    const downgrades = await hub.audit.listAuditEntries({
      filter: "event_type = AUDIT_EVENT_TYPE_SANDBOX_DOWNGRADED",
      pageSize: 100,
    });
    expect(downgrades.entries.map(({ rationale }) => rationale)).toEqual([
      'pack "loose": it says sandbox: off',
    ]);
    const notice = "the agent ran without a sandbox: its pack says sandbox: off";
    const { stages, pipelineId } = await submit("loose", {});
    expect(stages[0]?.result?.notices).toEqual([notice]);
    const { entries } = await hub.audit.listAuditEntries({
      filter: `pipeline_id = "${pipelineId}" AND event_type = AUDIT_EVENT_TYPE_RESULT_RECEIVED`,
    });
    expect(entries[0]?.snapshot?.snapshotPayload.value).toMatchObject({ notices: [notice] });
  });

  it("[TRN-03] without a sandbox, is found when it changes the user's checkout or its pack, and its attempt fails", async () => {
    const { shop, submit, hub } = here;
    const { status, pipelineId } = await submit("loose", { write: [join(shop, "README.md")] });
    expect(status).not.toBe(PipelineStatus.COMPLETED);
    const { entries } = await hub.audit.listAuditEntries({
      filter: `pipeline_id = "${pipelineId}"`,
      pageSize: 100,
    });
    const rationales = entries.map(({ rationale }) => rationale).join("\n");
    expect(rationales).toContain(`it changed what is outside of its workspace: ${join(shop, "README.md")}`);
  });

  // Last: the failures count against the agent.
  it("[TRN-03] starts neither in the home nor in a workspace of another run, for any submitter", async () => {
    const { data, home, hub } = here;
    const other = join(data, "workspaces/places/other/work/1");
    writeFiles(other, { "README.md": "of another run\n" });
    // A task type each: after some failures no more tasks of a type are sent.
    const cases = [
      ["greedy", home, "is the home of"],
      ["online", join(home, ".ssh"), "or holds logins"],
      ["other", other, "another run"],
    ] as const;
    for (const [type, path, reason] of cases) {
      const { pipeline } = await hub.orchestrator.submitTask({
        ...{ idempotencyKey: path, riskTier: RiskTier.LOW, workspace: { repository: path, path } },
        plan: { case: "taskType", value: type },
        contract: { taskId: type, title: "Try", acceptanceCriteria: ["it tried"] },
        inputs: { probe: JSON.stringify({ read: ["."] }) },
      });
      const filter = `pipeline_id = "${pipeline?.pipelineId}"`;
      const rationales = async () => {
        const { entries } = await hub.audit.listAuditEntries({ filter, pageSize: 100 });
        return entries.map(({ rationale }) => rationale).join("\n");
      };
      await expect.poll(rationales, { timeout: 100_000, interval: 200 }).toContain(reason);
      expect(await rationales()).not.toContain("tried");
    }
  });
});
