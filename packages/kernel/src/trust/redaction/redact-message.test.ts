import {
  AgentResultSchema,
  AuditEntrySchema,
  contractFiles,
  encodeJson,
  ResultSnapshotSchema,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { anyMessage } from "@baton/contract/testing";
import { clone, create, type DescMessage, type Message } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultRedactionPolicy } from "./policy.ts";
import { scrambled } from "./testing/examples.ts";
import { redactorOf } from "./testing/redactor.ts";

const known = "correct horse battery";
const redactor = redactorOf({ knownSecrets: [known] });
const token = `gh${"p_"}${scrambled(36)}`;

describe("messages", () => {
  it("[OBS-05] are masked by rule and by content, in a copy", () => {
    const entry = create(AuditEntrySchema, { rationale: `chosen, since ${token} works`, pipelineId: "p-1" });
    const before = clone(AuditEntrySchema, entry);
    const { message, masked } = redactor.redactMessage(AuditEntrySchema, entry);
    expect(message.rationale).toBe("chosen, since [redacted:github-token] works");
    expect(message.pipelineId).toBe("p-1");
    expect(masked).toBe(true);
    expect(entry).toEqual(before);
  });

  it("[OBS-05] have the rules of their types wherever they stand", () => {
    const envelope = create(TaskEnvelopeSchema, {
      contextIn: { sharedContext: "write to a@b.org" },
      safety: { authScopes: ["repo:read", token] },
      inputs: { password: "swordfish", note: `uses ${token}`, mail: "a@b.org" },
    });
    const json = JSON.parse(
      encodeJson(TaskEnvelopeSchema, redactor.redactMessage(TaskEnvelopeSchema, envelope).message),
    );
    expect(json).toMatchObject({
      contextIn: { sharedContext: "write to [redacted:email]" },
      safety: { authScopes: ["repo:read", "[redacted:field]"] },
      inputs: { password: "[redacted:field]", note: "uses [redacted:github-token]", mail: "a@b.org" },
    });
  });

  it("[OBS-05] lose the lines of evidence that have a secret in them", () => {
    const result = create(AgentResultSchema, {
      evidence: {
        evidencePayload: { case: "items", value: { items: [{ output: `ok\nTOKEN=${token}\nend` }] } },
      },
    });
    const { message } = redactor.redactMessage(AgentResultSchema, result);
    expect(encodeJson(AgentResultSchema, message)).toContain(String.raw`ok\n[redacted:line]\nend`);
  });

  it("[SAC-10] [OBS-05] lose the secrets in text that is JSON by the names of its members", () => {
    const policy = { alwaysRedact: ["response.data.customer"], conditionalRedact: [] };
    const strict = redactorOf({ policy: { ...defaultRedactionPolicy, ...policy } });
    const dataJson = JSON.stringify({ customer: 4711, password: "swordfish", note: `uses ${token}`, n: 1.5 });
    const { message } = strict.redactMessage(
      ResultSnapshotSchema,
      create(ResultSnapshotSchema, { response: { dataJson, thought: `I use ${token}` } }),
    );
    expect(JSON.parse(message.response?.dataJson ?? "")).toEqual({
      customer: "[redacted:field]",
      password: "[redacted:field]",
      note: "uses [redacted:github-token]",
      n: 1.5,
    });
    expect(message.response?.thought).toBe("I use [redacted:github-token]");
  });

  it("[OBS-05] lose the fields that nobody knows", () => {
    const entry = create(AuditEntrySchema);
    entry.$unknown = [{ no: 999, wireType: 2, data: new Uint8Array([1, 65]) }];
    expect(redactor.redactMessage(AuditEntrySchema, entry).message.$unknown).toBeUndefined();
  });

  const schemas = contractFiles.flatMap((file) => file.messages);
  it.each(schemas.map((schema) => [schema.name, schema] as const))(
    "[OBS-05] any %s stays as it is but for its secrets",
    (_, schema) => {
      const property = fc.property(anyMessage(schema), (message) => {
        const { message: redacted, masked } = redactor.redactMessage(schema, message);
        if (!masked) expect(redacted).toEqual(message);
        expect(plant(schema, message)).not.toContain(known);
      });
      fc.assert(property, { numRuns: Number(process.env.BATON_FUZZ_RUNS) / 20 });
    },
  );
});

/** Every text of the message becomes the known value; then it is redacted. */
function plant(schema: DescMessage, message: Message): string {
  const planted = JSON.parse(toText(message), (name, value) =>
    typeof value === "string" && name !== "$typeName" && name !== "case" ? known : value,
  ) as Message;
  return toText(redactor.redactMessage(schema, planted).message);
}

function toText(message: Message): string {
  return JSON.stringify(message, (_, value) => (typeof value === "bigint" ? Number(value) : value));
}
