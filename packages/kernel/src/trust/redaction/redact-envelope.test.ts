import { type TaskEnvelope, TaskEnvelopeSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { defaultRedactionPolicy } from "./policy.ts";
import { redactEnvelope } from "./redact-envelope.ts";
import { scrambled } from "./testing/examples.ts";
import { redactorOf } from "./testing/redactor.ts";

const token = `gh${"p_"}${scrambled(36)}`;
const mail = `jane.doe@example.${"org"}`;
const redactor = redactorOf({ personalData: "everywhere" });

/** An envelope with a secret and an address in everything that somebody else may have written. */
function envelope(): TaskEnvelope {
  return create(TaskEnvelopeSchema, {
    contract: { taskId: token, title: `use ${token}`, acceptanceCriteria: [mail] },
    safety: { authScopes: ["repo:read"] },
    refs: [{ uriOrLocator: `https://host/file?sig=${token}` }],
    workspace: { repository: `https://u:${token}@host/r` },
    clarifications: [{ question: "which?", answer: token }],
    contextIn: {
      sharedContext: `said ${token} to ${mail}`,
      taskDelta: token,
      decisionMemo: { decisions: [{ decisionId: "d", description: token }] },
      criticalSnippets: [{ path: "a.ts", content: `const key = "${token}";` }],
      unresolvedAssumptions: [token],
    },
    reviewFeedback: {
      rejectedAttempt: 1,
      failedChecks: [{ checkName: "tests", evidence: `printed ${token}` }],
      priorContext: { rollbackNotes: token },
      instructions: [`do not print ${token}`],
    },
    inputs: { nested: { db_password: "swordfish-9" }, list: [mail] },
  });
}

describe("the content of an envelope", () => {
  it("[OBS-05] beside its contract is redacted, whatever its source", () => {
    const { contextIn, reviewFeedback, inputs } = redactEnvelope(redactor, envelope());
    const visible = JSON.stringify([contextIn, reviewFeedback]);
    for (const planted of [token, mail]) expect(visible).not.toContain(planted);
    expect(inputs).toMatchObject({ nested: { db_password: "[redacted:field]" } });
    expect(contextIn?.criticalSnippets[0]?.content).toBe('const key = "[redacted:github-token]";');
    expect(contextIn?.sharedContext).toBe("said [redacted:github-token] to [redacted:email]");
  });

  it("[OBS-05] in its contract is what the submitter wrote, since it is the task", () => {
    const given = envelope();
    const { contract, safety, refs, workspace, clarifications } = redactEnvelope(redactor, given);
    expect({ contract, safety, refs, workspace, clarifications }).toEqual({
      contract: given.contract,
      safety: given.safety,
      refs: given.refs,
      workspace: given.workspace,
      clarifications: given.clarifications,
    });
  });

  it("[SAC-06] [OBS-05] has the personal data that a graph maps to the agent, unless the policy names its field", () => {
    expect(redactEnvelope(redactor, envelope()).inputs?.list).toEqual([mail]);
    const policy = { ...defaultRedactionPolicy, alwaysRedact: ["inputs.list"] };
    const strict = redactorOf({ personalData: "everywhere", policy });
    expect(redactEnvelope(strict, envelope()).inputs?.list).toBe("[redacted:field]");
  });

  it("[OBS-05] is the same object when there is nothing to mask, so that it is encoded once", () => {
    const plain = create(TaskEnvelopeSchema, {
      contract: { taskId: "T-1", title: "Do it" },
      contextIn: { sharedContext: "all is well" },
      inputs: { a: 1 },
    });
    expect(redactEnvelope(redactor, plain)).toBe(plain);
  });
});
