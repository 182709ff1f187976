import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { startHub } from "../../testing/hub-double.ts";
import { runBaton } from "../../testing/run-baton.ts";
import { anAgent, aPipeline, aQuestion, pipelineId } from "../../testing/sample.ts";

describe("baton agent", () => {
  const agents = [anAgent("i-1000"), anAgent("i-2000", "three invalid results in a row")];

  it("lists who is there, how they are, and who is shut out", async () => {
    await using hub = await startHub({ registry: { listAgents: () => ({ agents }) } });
    const { stdout } = await runBaton(["agent", "list"], { hub: hub.url });
    expect(stdout).toMatch(
      /qa-engineer\/i-1000 +1\.2\.0 +healthy +1\/4 +1\.5s +attached +review, write-tests\n/,
    );
    expect(stdout).toMatch(/qa-engineer\/i-2000 .*quarantined.*three invalid results in a row/);
  });

  it("[DIS-14] lets an instance in again, by the beginning of its id, with the reason", async () => {
    const asked: unknown[] = [];
    await using hub = await startHub({
      registry: {
        listAgents: () => ({ agents }),
        restoreAgent: ({ packId, instanceId, reason }) => {
          asked.push({ packId, instanceId, reason });
          return { agent: anAgent(instanceId) };
        },
      },
    });
    const restore = (name: string) =>
      runBaton(["agent", "restore", name, "--reason", "mended"], { hub: hub.url });
    const [one, several, none] = await Promise.all([
      restore("i-20"),
      restore("qa-engineer"),
      restore("nobody"),
    ]);
    expect(one).toMatchObject({ code: 0, stderr: "qa-engineer/i-2000 is in again\n" });
    expect(asked).toEqual([{ packId: "qa-engineer", instanceId: "i-2000", reason: "mended" }]);
    expect([several.code, none.code]).toEqual([2, 3]);
  });
});

describe("[DIS-09] baton why", () => {
  const explanation =
    '"review" went to i-1 of pack "qa-engineer"\n  1. i-1 (qa-engineer): healthy \u001b[31m\n';
  const answers = {
    orchestrator: {
      explainDispatch: ({ dispatchId }: { dispatchId: string }) => {
        if (dispatchId === "d-2") return { explanation };
        throw new ConnectError("unknown", Code.NotFound);
      },
      getPipeline: () => ({ pipeline: aPipeline() }),
    },
  };

  it("tells a person why, by dispatch or by pipeline and stage", async () => {
    await using hub = await startHub(answers);
    const [byId, byStage] = await Promise.all([
      runBaton(["why", "d-2"], { hub: hub.url }),
      runBaton(["why", `${pipelineId}/review`], { hub: hub.url }),
    ]);
    expect(byId.stdout).toBe(
      '"review" went to i-1 of pack "qa-engineer"\n  1. i-1 (qa-engineer): healthy \\x1b[31m\n',
    );
    expect(byStage.stdout).toBe(byId.stdout);
  });

  it("says when a stage has not been sent, and which have", async () => {
    await using hub = await startHub(answers);
    const { code, stderr } = await runBaton(["why", `${pipelineId}/release`], { hub: hub.url });
    expect(code).toBe(3);
    expect(stderr).toContain('the stage "release" has not been sent to anyone');
    expect(stderr).toContain("ask about one of: implement, review");
  });
});

describe("baton inbox", () => {
  it("lists what waits for a person, with what they need to answer", async () => {
    const filters: string[] = [];
    await using hub = await startHub({
      orchestrator: {
        listEscalations: ({ filter }) => {
          filters.push(filter);
          return { escalations: [aQuestion()] };
        },
      },
    });
    const { stdout } = await runBaton(["inbox", "--risk", "critical"], { hub: hub.url });
    expect(stdout).toContain(`! ${pipelineId}/e1\n  about     review\n  problem   The patch touches`);
    expect(stdout).toContain("options   approve, reject");
    expect(filters).toEqual(["resolved = false AND risk_tier = RISK_TIER_CRITICAL"]);
  });

  it("says so on standard error when nothing waits", async () => {
    await using hub = await startHub({ orchestrator: { listEscalations: () => ({}) } });
    expect(await runBaton(["inbox"], { hub: hub.url })).toMatchObject({
      stdout: "",
      stderr: "nothing waits for a person\n",
      code: 0,
    });
  });
});
