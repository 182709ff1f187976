/** What the commands of a contract can reach, on real hubs: with bubblewrap, without it, and with keys. */
import { join } from "node:path";
import { AuditEventType, RiskTier } from "@baton/contract";
import { expect, it } from "vitest";
import { makeRepository, makeTools, startHubProcess, writeFiles } from "../testing/hub-process.ts";
import { newFolder } from "../testing/program.ts";
import { generateKey } from "./border/keys.ts";

/** What a hub and its agents need of the system; no bubblewrap, and nothing that makes namespaces. */
const bare = ["git", "sh", "cat", "ls", "touch", "test", "dirname", "mkdir", "node"];
const namespaceTools = ["unshare", "setpriv", "prlimit", "mount", "umount"];

const pack = `profession_pack:
  pack_id: writer
  pack_version: "1.0.0"
  supported_task_types: [write]
  provided_tools: [sh]
  command: { run: [sh, "{pack}/agent.sh"], sandbox: "off", timeout: 60s }
`;

/** An agent that leaves a check which looks for everything that is not its business. */
const agent = (home: string, data: string) => `
cat > check.sh <<'EOF'
cat ${home}/.ssh/id ${data}/baton.key ${home}/keys.yaml
ls ${data}
env | grep SECRET
echo looked
EOF
echo '{"status":"success","summary":"wrote a check"}'
`;

/** A project in the user's home, with a repository beside it. */
function project() {
  const home = newFolder();
  const folder = join(home, "project");
  const data = join(folder, ".baton");
  writeFiles(home, {
    ".ssh/id": "the private key\n",
    "keys.yaml": "keys: []\n",
    "project/packs/writer/profession-pack.yaml": pack,
    "project/packs/writer/agent.sh": agent(home, data),
  });
  const shop = makeRepository(join(home, "shop"), { "README.md": "a shop\n" });
  return { home, folder, data, shop };
}

type Started = Awaited<ReturnType<typeof startHubProcess>>;

/** Runs one task whose check is the agent's own script, and reads what the gate recorded of it. */
async function gateOf(hub: Started, repository: string) {
  const { pipeline } = await hub.orchestrator.submitTask({
    ...{ idempotencyKey: "one", riskTier: RiskTier.LOW, workspace: { repository } },
    plan: { case: "taskType", value: "write" },
    contract: {
      ...{ taskId: "one", title: "Write", acceptanceCriteria: ["it is written"] },
      environment: { testCommand: "sh check.sh" },
    },
  });
  await hub.settles(pipeline?.pipelineId ?? "");
  const { entries } = await hub.audit.listAuditEntries({ pageSize: 200, orderBy: "sequence" });
  const gates = [AuditEventType.GATE_PASSED, AuditEventType.GATE_FAILED];
  const payload = entries.find(({ eventType }) => gates.includes(eventType))?.snapshot?.snapshotPayload;
  if (payload?.case !== "gate")
    throw new Error(`no gate: ${entries.map(({ rationale }) => rationale).join("; ")}`);
  const tests = payload.value.checks.find(({ gateName }) => gateName === "tests");
  return { passed: tests?.passed, evidence: tests?.evidence ?? "", run: tests?.run };
}

/** Its own pack, which opts out so that the check alone is what is looked at. */
const loose = "run without a sandbox: 1 of 1 command agents";

const secrets = /the private key|BEGIN|hub\.db|baton\.db|baton\.key\n/;

it("[PIP-07] a check in a fallback without bubblewrap finds neither the home nor the hub's data, and the record says so", async () => {
  const { home, folder, shop } = project();
  const tools = makeTools(join(home, "tools"), [...bare, ...namespaceTools]);
  const hub = await startHubProcess(folder, {
    env: { PATH: tools, HOME: home, HUB_SECRET: "s3cr3t-of-this-machine" },
  });
  expect(await hub.warnings()).toEqual(["commands of contracts run in a weak sandbox: namespaces", loose]);
  const { passed, evidence, run } = await gateOf(hub, shop);
  expect(evidence).toContain("looked");
  expect(evidence).toContain('"sh check.sh" ran in a weak sandbox (namespaces) and ended with 0');
  expect(evidence).not.toMatch(secrets);
  expect({ passed, sandbox: run?.sandbox }).toEqual({ passed: true, sandbox: "namespaces" });
});

it("[PIP-07] a check is not run where nothing hides the hub's data, and readiness and record say why", async () => {
  const { home, folder, shop } = project();
  const tools = makeTools(join(home, "tools"), bare);
  const hub = await startHubProcess(folder, { env: { PATH: tools, HOME: home } });
  expect(await hub.warnings()).toEqual([
    "no sandbox works: commands of contracts are not run, and their checks fail",
    loose,
  ]);
  const { passed, evidence } = await gateOf(hub, shop);
  expect(passed).toBe(false);
  expect(evidence).toContain('"sh check.sh" was not run: no sandbox is available');
});

it("[PIP-07] with keys, a check runs in bubblewrap or not at all, also where namespaces work", async () => {
  const { home, folder, shop } = project();
  const tools = makeTools(join(home, "tools"), [...bare, ...namespaceTools]);
  const { key, entry } = generateKey({ id: "all", tenant: "acme", roles: ["submit", "audit", "operate"] });
  writeFiles(folder, {
    "keys.yaml": JSON.stringify({ keys: [entry] }),
    "baton.yaml": `keys: keys.yaml\nevidence: { workspaces: [${JSON.stringify(shop)}] }\n`,
  });
  const args = ["--config", "baton.yaml"];
  const hub = await startHubProcess(folder, { args, env: { PATH: tools, HOME: home }, token: key });
  expect(await hub.warnings()).toContain(
    "no sandbox works: commands of contracts are not run, and their checks fail",
  );
  const { passed, evidence } = await gateOf(hub, shop);
  expect(passed).toBe(false);
  expect(evidence).toContain('"sh check.sh" was not run: no sandbox is available');
});

it("[PIP-07] a check without a sandbox needs a configuration that asks for it, and is marked everywhere", async () => {
  const { home, folder, shop } = project();
  writeFiles(folder, { "baton.yaml": "evidence: { sandbox: plain }\n" });
  const hub = await startHubProcess(folder, { args: ["--config", "baton.yaml"], env: { HOME: home } });
  expect(await hub.warnings()).toEqual(["commands of contracts run without a sandbox", loose]);
  const { evidence, run } = await gateOf(hub, shop);
  expect(evidence).toContain('"sh check.sh" ran without a sandbox and ended with 0');
  expect(run).toMatchObject({ sandbox: "plain", sandboxWarning: expect.stringContaining("every file") });
  const { entries } = await hub.audit.listAuditEntries({
    filter: "event_type = AUDIT_EVENT_TYPE_SANDBOX_DOWNGRADED",
    pageSize: 100,
  });
  const rationales = entries.map(({ rationale }) => rationale).join("\n");
  expect(rationales).toContain("commands of contracts: commands run with the network and with every file");
});
