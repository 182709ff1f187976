import { ResolveEscalationRequestSchema, ResponseStatus } from "@baton/contract";
import { readConstitution } from "@baton/kernel";
import { testPolicy } from "@baton/kernel/testing";
import { hasOutcome, type Result, ResultSchema } from "@baton/protocols/sap";
import { exampleTask } from "@baton/protocols/testing/sap";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ada, TestAgent, testHub } from "../../../testing/index.ts";
import type { Hub } from "../hub.ts";

const reading = readConstitution(
  {
    constitution: {
      version: "1",
      issuers: [{ capabilities: ["consult.*"], agent_ids: ["A-prime"] }],
      principles: [{ key: "blueprint_thinking", description: "Plan first" }],
      constraints: [
        {
          name: "No code names",
          always: true,
          checks: [{ name: "names", detect: "banned_phrases", phrases: ["Falcon"], on: "output" }],
        },
      ],
    },
  },
  "d".repeat(64),
);
if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
const { constitution } = reading;

/** The example with what this constitution knows: it asks a person about other principles and constraints. */
function task(changes: object = {}) {
  const constitutionalContext = {
    ...exampleTask().constitutionalContext,
    ...{ principles: ["blueprint_thinking"], pressure: { blueprint_thinking: 41 }, constraints: [] },
  };
  return exampleTask({ constitutionalContext, ...changes });
}

async function governedHub(message = "birds fly") {
  const policy = testPolicy({ routes: { "consult.align": { allowedPackIds: ["A-ml-001"] } } });
  const hub = await testHub({ constitution, policy });
  const agent = new TestAgent(hub, {
    ...{ packId: "A-ml-001", taskTypes: ["consult.align"] },
    answer: () => ({ response: { status: ResponseStatus.SUCCESS, message, data: { text: message } } }),
  });
  await agent.receive("welcome");
  return hub;
}

/** Every Result until the outcome; each question gets this answer. */
async function resultsOf(hub: Hub, resolution = "") {
  const following = await hub.sap.follow(ada, exampleTask().taskId, 0, new AbortController().signal);
  if (!(Symbol.asyncIterator in following)) throw new Error(JSON.stringify(following));
  const results: Result[] = [];
  for await (const { result } of following) {
    results.push(ResultSchema.parse(result));
    const escalationId = result.nextActions?.[0]?.escalationId;
    if (typeof escalationId !== "string" || hasOutcome(result)) continue;
    const request = create(ResolveEscalationRequestSchema, { escalationId, resolution, reason: "I looked" });
    await hub.resolveEscalation(ada, request);
  }
  return results;
}

describe("the alignment of a governed task", () => {
  it("[SAP-04] is in every Result, with readings, checks and the digest of the constitution", async () => {
    const hub = await governedHub();
    expect(await hub.sap.submit(ada, task())).toMatchObject({ kind: "ack" });
    const results = await resultsOf(hub);
    for (const { constitutionalEvidence } of results)
      expect(constitutionalEvidence).toMatchObject({
        alignment: "VALID",
        pressureReadings: { blueprint_thinking: 41 },
        constitutionDigest: "d".repeat(64),
      });
    expect(results.at(-1)).toMatchObject({
      status: "SUCCEEDED",
      output: { text: "birds fly" },
      constitutionalEvidence: {
        effectiveLevel: "instant",
        policyChecks: [{ principle: "No code names", check: "names", status: "PASS" }],
      },
    });
  });

  it("[SAP-04] [SAP-07] that a person denies leaves nothing of the output in any Result", async () => {
    const hub = await governedHub("the plan of Falcon");
    await hub.sap.submit(ada, task());
    const results = await resultsOf(hub, "reject");
    expect(results.map(({ status }) => status)).toEqual(["RUNNING", "ESCALATED", "FAILED"]);
    expect(results[1]?.nextActions?.[0]).toMatchObject({
      action: "decide",
      problem: expect.stringMatching(/./),
    });
    expect(results.at(-1)).toMatchObject({
      error: { code: "NON_CONSTITUTIONAL", message: expect.stringMatching(/./) },
      constitutionalEvidence: {
        alignment: "NON_CONSTITUTIONAL",
        violations: [
          {
            principle: "No code names",
            severity: expect.stringMatching(/./),
            evidence: expect.stringMatching(/./),
          },
        ],
        decidedBy: "ada",
      },
    });
    const transcript = await hub.sap.transcript(ada, exampleTask().taskId);
    expect(JSON.stringify([results, transcript])).not.toContain("Falcon");
  });

  it("[SAP-04] that a person approves lets the output leave, with who decided and why", async () => {
    const hub = await governedHub("Falcon is public");
    await hub.sap.submit(ada, task());
    expect((await resultsOf(hub, "approve")).at(-1)).toMatchObject({
      status: "SUCCEEDED",
      output: { text: "Falcon is public" },
      constitutionalEvidence: { alignment: "VALID", decidedBy: "ada", decisionReason: "I looked" },
    });
  });

  it("[SAP-09] is FORBIDDEN to an issuer that may not issue the capability", async () => {
    const hub = await governedHub();
    const issuer = { agentId: "mallory", agentKind: "user" };
    expect(await hub.sap.submit(ada, task({ issuer }))).toMatchObject({
      error: {
        code: "FORBIDDEN",
        details: { code: "BATON-GOVERNANCE-001", fix: expect.stringMatching(/./) },
      },
    });
  });

  it("[SAP-09] is refused with a secret in the payload, at its path, and nothing of it is kept", async () => {
    const hub = await governedHub();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const nack = await hub.sap.submit(ada, task({ payload: { deep: [{ note: secret }] } }));
    expect(nack).toMatchObject({
      error: { code: "INVALID_TASK", details: { violations: [{ path: "payload.deep[0].note" }] } },
    });
    expect(JSON.stringify(nack)).not.toContain(secret);
    expect(await hub.sap.result(ada, exampleTask().taskId)).toMatchObject({ error: { code: "NOT_FOUND" } });
  });
});
