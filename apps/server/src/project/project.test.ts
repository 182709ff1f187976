import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  AuditService,
  EscalationKind,
  OrchestratorService,
  PipelineStatus,
  RegistryService,
  StageStatus,
} from "@baton/contract";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { attachAgent } from "../../testing/attached-agent.ts";
import { asOperator, newFolder, start, startReady } from "../../testing/program.ts";
import { smallTaskMessage } from "../../testing/running-server.ts";
import { generateKey } from "../border/keys.ts";

const specification = resolve(import.meta.dirname, "../../testing/specification");

function write(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const policy = (version: string, ...types: string[]) =>
  `routing_policy:\n  version: "${version}"\n  routes:\n${types
    .map((type) => `    - { task_type: ${type}, allowed_pack_ids: [dev] }\n`)
    .join("")}`;
const templates = (...ids: string[]) =>
  `pipeline_templates:\n  version: "1"\n  templates:\n${ids
    .map((id) => `    - { template_id: ${id}, stages: [{ stage_id: s, task_type: code }] }\n`)
    .join("")}`;
const pack = (id: string, version: string, more = "") =>
  `profession_pack: { pack_id: ${id}, pack_version: "${version}", supported_task_types: [code]${more} }\n`;

type Started = Awaited<ReturnType<typeof startReady>>;

/** The lines of the log with this message, as soon as there is one more than `before`. */
async function logs({ output, child }: Started, message: string, before = 0) {
  for (;;) {
    const lines = output.stderr.split("\n").filter((line) => line.includes(`"msg":"${message}`));
    const line = lines[before];
    if (line !== undefined) return JSON.parse(line);
    if (child.exitCode !== null) throw new Error(output.stderr);
    await new Promise((wait) => setTimeout(wait, 20));
  }
}
const changed = 'the configuration has changed"';
const refused = "the changed configuration is invalid";

/** The version of the policy that a new task is decided by, as the record says. */
async function policyOf(hub: Started, idempotencyKey: string) {
  const transport = createGrpcTransport({ baseUrl: hub.ready.grpc });
  const { pipeline } = await createClient(OrchestratorService, transport).submitTask({
    ...smallTaskMessage,
    idempotencyKey,
  });
  const filter = `pipeline_id = "${pipeline?.pipelineId}"`;
  const { entries } = await createClient(AuditService, transport).listAuditEntries({ filter });
  return new Set(entries.map(({ protocolVersion }) => protocolVersion?.policyVersion));
}

describe("a project", () => {
  it("[DIS-04] [PIP-01] [OBS-05] is found below the working folder: the specification's examples, as they stand", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "config"));
    for (const name of ["routing-policy", "pipeline-templates", "redaction-policy"]) {
      copyFileSync(join(specification, `${name}.yaml`), join(folder, "config", `${name}.yaml`));
    }
    const hub = await startReady(folder);
    expect(await logs(hub, "configured")).toMatchObject({ routingPolicy: "1.0.0", routes: 3, templates: 2 });
    const client = createClient(OrchestratorService, createGrpcTransport({ baseUrl: hub.ready.grpc }));
    const plan = { case: "templateId", value: "critical-with-security" } as const;
    const { pipeline } = await client.submitTask({ ...smallTaskMessage, plan, validateOnly: true });
    expect(pipeline?.stages.map(({ stageId }) => stageId)).toEqual([
      "implement",
      "security-review",
      "review",
      "verify",
    ]);
  });

  it("[DIS-04] [PIP-01] runs the specification's examples; what they have no route for waits until the file has one", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "config"));
    for (const name of ["routing-policy", "pipeline-templates"]) {
      copyFileSync(join(specification, `${name}.yaml`), join(folder, "config", `${name}.yaml`));
    }
    const hub = await startReady(folder, "--data", ":memory:");
    const developer = await attachAgent(hub.ready.grpc, "senior-python-dev", "feature-implementation");
    const tester = await attachAgent(hub.ready.grpc, "qa-engineer", "code-review", "verification");
    const client = createClient(OrchestratorService, createGrpcTransport({ baseUrl: hub.ready.grpc }));
    const plan = { case: "templateId", value: "implement-and-review" } as const;
    const { pipeline } = await client.submitTask({ ...smallTaskMessage, plan });
    const pipelineId = pipeline?.pipelineId ?? "";
    await expect
      .poll(async () =>
        (await client.listEscalations({})).escalations.map(({ snapshot }) => snapshot?.problem),
      )
      .toEqual(['the routing policy has no route for task type "verification"']);

    const path = join(folder, "config/routing-policy.yaml");
    const text = readFileSync(path, "utf8");
    const route = '    - task_type: "verification"\n      allowed_pack_ids: ["qa-engineer"]\n\n';
    writeFileSync(path, text.replace("  admission:", `${route}  admission:`));
    const status = async () => (await client.getPipeline({ pipelineId })).pipeline?.status;
    await expect.poll(status, { timeout: 60_000 }).toBe(PipelineStatus.COMPLETED);
    expect(developer.map(({ routing }) => routing?.taskType)).toEqual(["feature-implementation"]);
    expect(tester.map(({ routing }) => routing?.taskType)).toEqual(["code-review", "verification"]);
  });

  it("[PIP-01] [PIP-03] [PIP-06] runs the specification's critical template: reviews side by side, the critical one approved by a person", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "config"));
    copyFileSync(
      join(specification, "pipeline-templates.yaml"),
      join(folder, "config/pipeline-templates.yaml"),
    );
    // The example routes everything but its last stage.
    const text = readFileSync(join(specification, "routing-policy.yaml"), "utf8");
    const route = '    - task_type: "verification"\n      allowed_pack_ids: ["qa-engineer"]\n\n';
    write(folder, "config/routing-policy.yaml", text.replace("  admission:", `${route}  admission:`));
    const hub = await startReady(folder, "--data", ":memory:");
    await attachAgent(hub.ready.grpc, "senior-python-dev", "feature-implementation");
    const tester = await attachAgent(hub.ready.grpc, "qa-engineer", "code-review", "verification");
    const security = await attachAgent(hub.ready.grpc, "security-reviewer", "security-review");
    const interceptors = asOperator(hub.ready);
    const transport = createGrpcTransport({ baseUrl: hub.ready.grpc, interceptors });
    const client = createClient(OrchestratorService, transport);
    const plan = { case: "templateId", value: "critical-with-security" } as const;
    const { pipeline } = await client.submitTask({ ...smallTaskMessage, plan });
    const pipelineId = pipeline?.pipelineId ?? "";
    const stages = async () => (await client.getPipeline({ pipelineId })).pipeline?.stages ?? [];
    const asked = async () => (await client.listEscalations({ filter: "resolved = false" })).escalations;

    // The route of a security review makes it critical, and so a person decides it, while the other review is done.
    await expect
      .poll(async () => (await asked()).map(({ stageId, kind }) => [stageId, kind]), { timeout: 60_000 })
      .toEqual([["security-review", EscalationKind.REVIEW]]);
    const [implement, , review, verify] = await stages();
    expect([implement, review, verify].map((stage) => stage?.status)).toEqual([
      StageStatus.COMPLETED,
      StageStatus.COMPLETED,
      StageStatus.PENDING,
    ]);
    const [question] = await asked();
    await client.reviewStage({
      pipelineId,
      stageId: "security-review",
      dispatchId: question?.dispatchId ?? "",
      reason: "read it",
      verdict: { case: "approval", value: {} },
    });
    const status = async () => (await client.getPipeline({ pipelineId })).pipeline?.status;
    await expect.poll(status, { timeout: 60_000 }).toBe(PipelineStatus.COMPLETED);
    expect(security.map(({ routing }) => routing?.taskType)).toEqual(["security-review"]);
    expect(tester.map(({ routing }) => routing?.taskType)).toEqual(["code-review", "verification"]);
  });

  it("[DIS-01] makes the packs of its folder known, and refuses a version that says something else, also after a restart", async () => {
    const folder = newFolder();
    write(folder, "project/packs/one/profession-pack.yaml", pack("one", "1.0.0"));
    write(folder, "project/packs/two/profession-pack.yaml", pack("two", "1.0.0"));
    const args = ["--project", "project"];
    const hub = await startReady(folder, ...args);
    expect(await logs(hub, "configured")).toMatchObject({ packs: 2 });
    const registry = createClient(RegistryService, createGrpcTransport({ baseUrl: hub.ready.grpc }));
    const heartbeat = { packId: "two", instanceId: "two-1", packVersion: "1.0.0", capacity: { maxTasks: 1 } };
    await registry.sendHeartbeat({ heartbeat });
    expect((await registry.listAgents({})).agents).toMatchObject([{ heartbeat: { packId: "two" } }]);
    hub.child.kill("SIGTERM");
    await hub.ended;

    write(folder, "project/packs/two/profession-pack.yaml", pack("two", "1.0.0", ", description: other"));
    const again = start(folder, ...args, "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0");
    expect(await again.ended).toBe(2);
    expect(again.output.stderr).toContain("BATON-FLEET-003");
    expect(again.output.stderr).toContain('version 1.0.0 of pack "two" is known with other content');
    expect(again.output.stderr).toContain(`${join(folder, "project/packs/two/profession-pack.yaml")}:1:`);
    expect(again.output.stderr).toContain(
      "fix: give the changed pack a new version: pack_version in its file, version in code",
    );

    write(folder, "project/packs/two/profession-pack.yaml", pack("two", "1.0.1", ", description: other"));
    const third = await startReady(folder, ...args);
    expect(await logs(third, "configured")).toMatchObject({ packs: 2 });
  });

  it("[DIS-04] [PIP-01] [DIS-01] takes changed files without a restart, and says what changed", async () => {
    const folder = newFolder();
    write(folder, "config/routing-policy.yaml", policy("1", "code", "review"));
    const hub = await startReady(folder, "--data", ":memory:");
    // As editors do it: another file is moved to its place.
    write(folder, "config/routing-policy.yaml.new", policy("2", "code", "docs"));
    renameSync(join(folder, "config/routing-policy.yaml.new"), join(folder, "config/routing-policy.yaml"));
    expect((await logs(hub, changed)).changes).toEqual([
      "routing policy 1 became 2",
      'route "docs" added',
      'route "review" removed',
    ]);
    const record = createClient(AuditService, createGrpcTransport({ baseUrl: hub.ready.grpc }));
    const filter = "event_type = AUDIT_EVENT_TYPE_CONFIGURATION_CHANGED";
    const recorded = async () => (await record.listAuditEntries({ filter })).entries;
    await expect
      .poll(async () => (await recorded()).map(({ rationale }) => rationale))
      .toEqual(['routing policy 1 became 2; route "docs" added; route "review" removed']);
    write(folder, "config/pipeline-templates.yaml", templates("letter"));
    write(folder, "packs/dev/profession-pack.yaml", pack("dev", "1.0.0"));
    expect((await logs(hub, changed, 1)).changes).toEqual([
      'template "letter" added',
      'pack "dev 1.0.0" added',
    ]);
    write(folder, "packs/dev/profession-pack.yaml", pack("dev", "1.0.0", ", description: other"));
    const message = 'pack_version: version 1.0.0 of pack \\"dev\\" is known with other content';
    expect(await logs(hub, message)).toMatchObject({
      code: "BATON-FLEET-003",
      at: `${join(folder, "packs/dev/profession-pack.yaml")}:1:34`,
    });
    expect(await policyOf(hub, "k")).toEqual(new Set(["2"]));
  });

  it("[DIS-01] [DIS-04] takes all changed packs or none: what is refused with another may still be changed", async () => {
    const folder = newFolder();
    write(folder, "packs/dev/profession-pack.yaml", pack("dev", "1.0.0"));
    const hub = await startReady(folder, "--data", ":memory:");
    write(folder, "packs/dev/profession-pack.yaml", pack("dev", "1.0.0", ", description: other"));
    const wrong = "the changed configuration is invalid";
    await logs(hub, wrong);
    write(folder, "packs/ada/profession-pack.yaml", pack("ada", "1.0.0"));
    await logs(hub, wrong, 1);
    write(folder, "packs/ada/profession-pack.yaml", pack("ada", "1.0.0", ", description: other"));
    await logs(hub, wrong, 2);
    write(folder, "packs/dev/profession-pack.yaml", pack("dev", "1.0.0"));
    expect((await logs(hub, changed)).changes).toEqual(['pack "ada 1.0.0" added']);
  });

  it("[DIS-01] makes packs known to every tenant that has a key", async () => {
    const folder = newFolder();
    const made = ["acme", "other"].map((tenant) => generateKey({ id: tenant, tenant, roles: ["agent"] }));
    write(folder, "keys.yaml", JSON.stringify({ keys: made.map(({ entry }) => entry) }));
    write(folder, "packs/dev/profession-pack.yaml", pack("dev", "1.0.0"));
    const hub = await startReady(folder, "--keys", "keys.yaml");
    const heartbeat = { packId: "dev", instanceId: "dev-1", packVersion: "1.0.0", capacity: { maxTasks: 1 } };
    const registry = createClient(RegistryService, createGrpcTransport({ baseUrl: hub.ready.grpc }));
    for (const { key } of made) {
      const headers = { authorization: `Bearer ${key}` };
      const { leaseExpiresAt } = await registry.sendHeartbeat({ heartbeat }, { headers });
      expect(leaseExpiresAt).toBeDefined();
    }
  });

  it("[OBS-05] takes a changed redaction policy without a restart", async () => {
    const folder = newFolder();
    const redaction = (path: string) => `redaction_policy:\n  always_redact: ["${path}"]\n`;
    write(folder, "config/redaction-policy.yaml", redaction("pipeline.nothing"));
    const hub = await startReady(folder, "--data", ":memory:");
    const client = createClient(OrchestratorService, createGrpcTransport({ baseUrl: hub.ready.grpc }));
    const name = async () => {
      const { pipeline } = await client.submitTask(smallTaskMessage);
      return pipeline?.pipelineName;
    };
    expect(await name()).toMatch(/^\w/);
    write(folder, "config/redaction-policy.yaml", redaction("pipeline.pipeline_name"));
    expect((await logs(hub, changed)).changes).toEqual(["redaction policy changed"]);
    expect(await name()).toBe("[redacted:field]");
  });

  it("[SAC-09] applies changed guardrails without a restart, and keeps them when the file vanishes", async () => {
    const folder = newFolder();
    const guardrails = (chars: number) =>
      `guardrails:\n  rules:\n    - { name: short, check: size, max_chars: ${chars} }\n`;
    write(folder, "config/guardrails.yaml", guardrails(100));
    const hub = await startReady(folder, "--data", ":memory:");
    write(folder, "config/guardrails.yaml", guardrails(200));
    expect((await logs(hub, changed)).changes).toEqual(['guardrail "short" changed']);
    rmSync(join(folder, "config/guardrails.yaml"));
    expect(await logs(hub, "the file of guardrails is gone")).toMatchObject({ code: "BATON-CONFIG-004" });
  });

  it("[DIS-04] keeps the last good files when one is bad, stays ready, and reports it once", async () => {
    const folder = newFolder();
    write(folder, "config/routing-policy.yaml", policy("1", "code"));
    write(folder, "config/pipeline-templates.yaml", templates("letter"));
    const hub = await startReady(folder, "--data", ":memory:");
    const readiness = async () => {
      const answer = await fetch(`${hub.ready.http}/readyz`);
      return answer.json();
    };
    write(folder, "config/routing-policy.yaml", policy("2", "code", "docs"));
    write(folder, "config/pipeline-templates.yaml", templates("letter", "letter"));
    expect(await logs(hub, refused)).toMatchObject({ problems: 1 });
    expect(await logs(hub, 'template_id: \\"letter\\" is used twice')).toMatchObject({
      code: "BATON-CONFIG-002",
      at: `${join(folder, "config/pipeline-templates.yaml")}:5:9`,
      fix: "rename one of them",
    });
    expect(await readiness()).toMatchObject({
      status: "ready",
      warnings: [expect.stringContaining("1 problem")],
    });
    expect(await policyOf(hub, "before")).toEqual(new Set(["1"]));

    rmSync(join(folder, "config/routing-policy.yaml"));
    write(folder, "config/pipeline-templates.yaml", templates("letter"));
    expect(await logs(hub, "the routing policy is gone")).toMatchObject({ code: "BATON-CONFIG-004" });

    write(folder, "config/routing-policy.yaml", policy("3", "code", "docs"));
    expect((await logs(hub, changed)).changes).toContain('route "docs" added');
    expect(await readiness()).toEqual({ status: "ready", mode: "production" });
    expect(await policyOf(hub, "after")).toEqual(new Set(["3"]));
    expect(hub.output.stderr.split(refused)).toHaveLength(3);
  });
});
