import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder, startRealHub } from "../../testing/real-hub.ts";
import { runBaton } from "../../testing/run-baton.ts";

const policy = `routing_policy:
  version: "1.0.0"
  routes:
    - { task_type: notes, allowed_pack_ids: [scribe], min_risk_tier: RISK_TIER_LOW, fallback_pack_id: null }
  admission:
    max_global_queue_depth: 50
    max_per_pack_concurrent: 3
    circuit_breaker: { error_threshold: 5, window: "60s", half_open_after: "120s" }
  defaults: { fallback_pack_id: null, max_candidate_agents: 3, require_healthy: true }
`;

/** A project with one command, which is run in its own folder. */
function aProject(command: string): string {
  const folder = scratchFolder();
  const pack = `profession_pack:
  pack_id: scribe
  pack_version: "1.0.0"
  supported_task_types: [notes]
  command: ${command}
`;
  for (const [path, text] of [
    ["packs/scribe/profession-pack.yaml", pack],
    ["config/routing-policy.yaml", policy],
  ] as const) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function runTask(hub: string): Promise<string> {
  const { stdout } = await runBaton(
    ["run", "--task-type", "notes", "--title", "Notes", "--accept", "they are there"],
    { hub },
  );
  return stdout.trim();
}

async function asked(hub: string, id: string): Promise<string> {
  await expect
    .poll(async () => (await runBaton(["inbox", "--output", "jsonl"], { hub })).stdout, { timeout: 60_000 })
    .toContain(id);
  return (await runBaton(["inbox", id], { hub })).stdout;
}

describe("a command that is an agent", () => {
  it("[TRN-03] [DIS-09] whose program is missing is reported by check, the log, the list of agents and why", async () => {
    const folder = aProject("{ preset: codex }");
    const env = { PATH: dirname(process.execPath) };
    const checked = await runBaton(["check", folder], { env });
    expect(checked.stdout).toContain(
      'warning: pack "scribe" runs "codex", and there is no such program here',
    );
    expect(checked.stdout).toContain("profession-pack.yaml:5:");
    expect(checked.code).toBe(0);
    const { address: hub, running } = await startRealHub(
      join(folder, "data"),
      ["--project", folder],
      undefined,
      env,
    );
    const id = await runTask(hub);
    expect(await asked(hub, id)).toContain(
      'advice    there is no program "codex": install it, or put it on the PATH of the hub; the task goes on by itself then\n',
    );
    const { stdout: agents } = await runBaton(["agent", "list"], { hub });
    expect(agents).toMatch(
      /scribe-command .*unhealthy.*there is no program "codex": install it, or put it on the PATH/,
    );
    const { stdout: why } = await runBaton(["why", id], { hub });
    expect(why).toContain(
      'pack "scribe": 1 unhealthy and 0 quarantined instances, and no other: there is no program "codex"',
    );
    running.interrupt();
    const { stderr: log } = await running.ended;
    expect(log).toContain('"msg":"pack \\"scribe\\" runs \\"codex\\", and there is no such program here"');
  });

  it("[TRN-03] [DIS-09] that failed is reported with its failure, and a retry that changes nothing says so", async () => {
    const script = "console.error('no such model: x-9'); process.exit(1)";
    const folder = aProject(`{ run: ["node", "-e", "${script}"] }`);
    const { address: hub } = await startRealHub(join(folder, "data"), ["--project", folder]);
    const id = await runTask(hub);
    const question = await asked(hub, id);
    expect(question).toContain(
      'advice    its last attempt failed: it ended with exit code 1: no such model: x-9; it counts as well again 15 seconds after that. Fix it and answer "retry"',
    );
    const view = await runBaton(["runs", "show", id], { hub });
    expect(view.stdout).toContain('waits for an agent: no agent can take "notes"');
    const why = await runBaton(["why", id], { hub });
    expect(why.stdout).toContain(
      "1 degraded (its last attempt failed: it ended with exit code 1: no such model: x-9; ",
    );
    const agent = await runBaton(["agent", "show", "scribe-command"], { hub });
    expect(agent.stdout).toMatch(/\n {2}success +0 of the only attempt\n/);
    expect(agent.stdout).toMatch(/\n {2}last error +.*no such model: x-9/);
    expect(agent.stdout).toMatch(new RegExp(`\\n {2}in run +${id}, stage `));
    const again = await runBaton(["answer", id, "retry"], { hub });
    expect(again.stderr).toContain(
      'the problem persists, so the question is open again: no agent can take "notes" (its last attempt failed',
    );
    expect(again.stderr).toContain(`after the fix: baton answer ${id}/e2 ...`);
  });

  it("[TRN-03] that crashed is reported with its error, without the stack trace", async () => {
    const folder = aProject(`{ run: ["node", "-e", "JSON.parse(String.fromCharCode(123)).notes.length"] }`);
    const { address: hub } = await startRealHub(join(folder, "data"), ["--project", folder]);
    const question = await asked(hub, await runTask(hub));
    expect(question).toMatch(/it ended with exit code 1: .*SyntaxError: Expected property name or/);
    expect(question).not.toMatch(/node:internal|Node\.js v/);
  });
});
