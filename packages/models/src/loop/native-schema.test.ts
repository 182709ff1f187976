import { ResponseStatus } from "@baton/contract";
import { protocolBlock } from "@baton/protocols/sacp";
import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { answer, run, type Setup } from "../testing/run-model.ts";

const schema = {
  type: "object",
  properties: { words: { type: "integer" } },
  required: ["words"],
  additionalProperties: false,
} satisfies JsonObject;

/** What a provider is asked to enforce: the whole response, with the data of the task. */
const enforced = {
  type: "object",
  properties: {
    thought: { type: "string" },
    status: { type: "string", enum: ["success", "failure", "clarification_needed"] },
    data: { anyOf: [schema, { type: "null" }] },
    message: { type: "string" },
  },
  required: ["thought", "status", "data", "message"],
  additionalProperties: false,
};

const kinds = ["anthropic", "openai", "openai-compatible"] as const;
const named = { strict: true, name: "response" };

/** The form of each wire. */
const wire: Readonly<Record<(typeof kinds)[number], (schema: JsonObject) => unknown>> = {
  anthropic: (schema) => ({ type: "json_schema", schema }),
  openai: (schema) => ({ type: "json_schema", ...named, schema }),
  "openai-compatible": (schema) => ({ type: "json_schema", json_schema: { ...named, schema } }),
};

const able = { structured_output: true };
const counted = { text: answer({ status: "success", data: { words: 3 } }) };

/** What the body of a request says about the form of the answer, where each wire has it. */
function formOf(body: JsonObject | undefined): unknown {
  const { output_config: anthropic, text: openai, response_format: compatible } = (body ?? {}) as Body;
  return anthropic?.format ?? openai?.format ?? compatible;
}

interface Body {
  readonly output_config?: { readonly format?: unknown };
  readonly text?: { readonly format?: unknown };
  readonly response_format?: unknown;
}

describe("native structured output", () => {
  it.each(kinds)("[SAC-11] goes over the wire of %s as the schema of the whole response", async (kind) => {
    const { requests, result } = await run([counted], { kind, schema, catalogue: able });
    expect(formOf(requests[0]?.body)).toEqual(wire[kind](enforced));
    expect(requests[0]?.system).toContain(protocolBlock({ dataSchema: schema }));
    expect(result.response).toMatchObject({ status: ResponseStatus.SUCCESS, data: { words: 3 } });
  });

  it.each(kinds)("[SAC-01] [SAC-11] offers %s the statuses that the graph allows", async (kind) => {
    const envelope = { mayComplete: true, mayRetryWithInstruction: true };
    const { requests } = await run([counted], { kind, schema, envelope, catalogue: able });
    const statuses = [...enforced.properties.status.enum, "completed", "retry_with_instruction"];
    const status = { type: "string", enum: statuses };
    expect(formOf(requests[0]?.body)).toEqual(
      wire[kind]({ ...enforced, properties: { ...enforced.properties, status } }),
    );
  });

  it.each(kinds)(
    "[SAC-11] is not asked of %s where model, schema or format do not allow it",
    async (kind) => {
      const setups: Readonly<Record<string, Setup>> = {
        "a model that cannot": { kind, schema },
        "a schema that leaves names open": {
          kind,
          schema: { ...schema, additionalProperties: true },
          catalogue: able,
        },
        "a schema with an optional name": { kind, schema: { ...schema, required: [] }, catalogue: able },
        "a keyword that not all enforce": {
          ...{ kind, catalogue: able },
          schema: { ...schema, properties: { words: { type: "integer", minimum: 1 } } },
        },
        "no schema": { kind, catalogue: able },
        "answers as text": { kind, schema, catalogue: able, model: { response_format: "text" } },
      };
      for (const [name, setup] of Object.entries(setups)) {
        const { requests } = await run([counted], setup);
        expect(formOf(requests[0]?.body), name).toBeUndefined();
        expect(JSON.stringify(requests[0]?.body), name).not.toContain("json_schema");
      }
    },
  );

  it.each(kinds)(
    "[SAC-03] [SAC-11] has the parser behind it: %s may answer otherwise all the same",
    async (kind) => {
      const setup = { kind, schema, catalogue: able };
      const fenced = await run([{ text: `Here it is:\n\`\`\`json\n${counted.text}\n\`\`\`` }], setup);
      expect(fenced.requests).toHaveLength(1);
      expect(fenced.result.response).toMatchObject({ status: ResponseStatus.SUCCESS, data: { words: 3 } });
      const wrong = { text: answer({ status: "success", data: { words: "three" } }) };
      const corrected = await run([wrong, counted], setup);
      expect(corrected.requests).toHaveLength(2);
      expect(corrected.requests[1]?.messages.at(-1)?.text).toMatch(/data\.words: type/);
      expect(corrected.result.response?.data).toEqual({ words: 3 });
      const prose = await run([{ text: "Three." }], setup);
      expect(prose.result.response).toMatchObject({
        status: ResponseStatus.FAILURE,
        data: { raw_output: "Three." },
      });
    },
  );
});
