import {
  ContractError,
  ContractSchema,
  decodeBinary,
  decodeJson,
  defaultLimits,
  ErrorDetailSchema,
  ExecutionSchema,
  encodeBinary,
  encodeJson,
  TaskEnvelopeSchema,
  toErrorDetail,
  validate,
} from "@baton/contract";
import { create, type DescMessage, type JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";

/** What a boundary would answer. */
function refusal(attempt: () => unknown): ContractError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ContractError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

const json = (schema: DescMessage, text: string) => refusal(() => decodeJson(schema, text));
const binary = (schema: DescMessage, ...bytes: number[]) =>
  refusal(() => decodeBinary(schema, Uint8Array.from(bytes)));

describe("binary that is no message", () => {
  const bytes = encodeBinary(
    ContractSchema,
    create(ContractSchema, { taskId: "t-1", acceptanceCriteria: ["works"] }),
  );

  it("[CON-03] is refused wherever it was cut", () => {
    const answers = Array.from({ length: bytes.length }, (_, end) => end)
      .filter((end) => end !== 0 && end !== 5) // Between two fields a shorter message is a message.
      .map((end) => refusal(() => decodeBinary(ContractSchema, bytes.subarray(0, end))).code);
    expect(new Set(answers)).toEqual(new Set(["BATON-CONTRACT-002"]));
  });

  it("[CON-03] is refused when a field has another wire type than the contract says", () => {
    expect(binary(ContractSchema, 0x08, 0x01).message).toBe(
      "at byte 0: Contract.task_id must be of wire type LengthDelimited, not Varint",
    );
    expect(binary(ExecutionSchema, 0x1a, 0x01, 0x41).message).toContain(
      "Execution.attempt_number must be of",
    );
  });

  it.each([
    ["field number zero", [0x02, 0x00]],
    ["a wire type that does not exist", [0x07]],
    ["an end of a group that never began", [0x0c]],
    ["a number of eleven bytes", [0x18, ...new Array<number>(11).fill(0x80)]],
    ["a length beyond the end", [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ["text that is not UTF-8", [0x0a, 0x02, 0xc3, 0x28]],
    ["an unknown group that is not closed", [0xe3, 0x3f, 0x08, 0x01]],
    ["an unknown group that another one closes", [0xe3, 0x3f, 0xec, 0x3f]],
  ])("is refused for %s", (_, bad) => {
    expect(binary(ContractSchema, ...bad).code).toBe("BATON-CONTRACT-002");
  });
});

describe("JSON that is no message", () => {
  it("[CON-03] is refused with the path of the field", () => {
    const places = [
      ['{"execution": {"attemptNumber": 1e100}}', "execution.attempt_number"],
      ['{"execution": {"attemptNumber": 1.5}}', "execution.attempt_number"],
      ['{"refs": [{"uriOrLocator": "a"}, {"refType": "REF_TYPE_WISH"}]}', "refs[1].ref_type"],
      ['{"contract": {"acceptanceCriteria": "one"}}', "contract.acceptance_criteria"],
      ['{"execution": {"deadline": "tomorrow"}}', "execution.deadline"],
      ['{"execution": {"timeout": "5 minutes"}}', "execution.timeout"],
      ['{"execution": {"budget": {"maxTokens": "9223372036854775808"}}}', "execution.budget.max_tokens"],
      ['{"contractt": {}}', "contractt"],
    ] as const;
    for (const [text, field] of places) {
      const error = json(TaskEnvelopeSchema, text);
      expect([error.code, error.violations.map((violation) => violation.field)]).toEqual([
        "BATON-CONTRACT-002",
        [field],
      ]);
    }
  });

  it("names the value nobody knows", () => {
    const error = json(TaskEnvelopeSchema, '{"refs": [{"refType": "REF_TYPE_WISH"}]}');
    expect(error.message).toBe('refs[0].ref_type expected a value of RefType, got "REF_TYPE_WISH"');
  });

  it.each([
    ["a key that comes twice", '{"refs": [{"digest": "a", "digest": "b"}]}', /duplicate object key "digest"/],
    ["a text that ends early", '{"refs": [{"digest": "a"', /position 24/],
    ["another kind of value", "[]", /^the message expected an object, got Array/],
    ["nothing", "", /end of JSON/],
  ])("is refused for %s", (_, text, message) => {
    const error = json(TaskEnvelopeSchema, text);
    expect(error.code).toBe("BATON-CONTRACT-002");
    expect(error.message).toMatch(message);
  });

  it("is refused when its bytes are not UTF-8", () => {
    const bytes = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d);
    expect(refusal(() => decodeJson(ContractSchema, bytes)).message).toBe("the text is not UTF-8");
  });

  it("[CON-11] may carry fields of a newer version when it comes from a peer", () => {
    const text = '{"taskId": "t-1", "mood": "good", "io": {"weather": 1}}';
    expect(decodeJson(ContractSchema, text, { unknownFields: "ignore" }).taskId).toBe("t-1");
    expect(json(ContractSchema, text).violations).toEqual([
      { field: "io.weather", rule: "json", message: "is not a field of the message" },
    ]);
  });

  it("keeps hostile keys as data", () => {
    const text = '{"inputs": {"__proto__": {"polluted": true}, "constructor": 1}}';
    const { inputs } = decodeJson(TaskEnvelopeSchema, text);
    expect(Object.getOwnPropertyNames(inputs).sort()).toEqual(["__proto__", "constructor"]);
    expect(({} as JsonObject).polluted).toBeUndefined();
  });
});

describe("limits", () => {
  const nested = (levels: number) => `{"inputs": ${'{"a":'.repeat(levels)}1${"}".repeat(levels + 1)}`;

  it("refuse a message of 64 MiB before looking into it", () => {
    const error = refusal(() => decodeBinary(TaskEnvelopeSchema, new Uint8Array(64 * 1024 * 1024)));
    expect(error.code).toBe("BATON-CONTRACT-001");
    expect(error.message).toBe("67108864 bytes are more than the 4194304 that are accepted");
    expect(json(TaskEnvelopeSchema, " ".repeat(64 * 1024 * 1024)).code).toBe("BATON-CONTRACT-001");
  });

  it("refuse nesting a hundred deep, in both forms", () => {
    expect(json(TaskEnvelopeSchema, nested(100)).code).toBe("BATON-CONTRACT-003");
    const generous = { limits: { ...defaultLimits, maxDepth: 1000 } };
    const deep = encodeBinary(TaskEnvelopeSchema, decodeJson(TaskEnvelopeSchema, nested(100), generous));
    const error = refusal(() => decodeBinary(TaskEnvelopeSchema, deep));
    expect(error.code).toBe("BATON-CONTRACT-003");
    expect(error.message).toBe("it is nested deeper than the 64 levels that are accepted");
  });

  it("refuse unknown groups a hundred deep", () => {
    const bytes = [...new Array<number>(100).fill(0xe3), ...new Array<number>(100).fill(0xe4)].flatMap(
      (tag) => [tag, 0x3f],
    );
    expect(binary(ContractSchema, ...bytes).code).toBe("BATON-CONTRACT-003");
  });

  it("refuse a hundred thousand deep without running out of stack", () => {
    expect(json(TaskEnvelopeSchema, "[".repeat(100_000)).code).toBe("BATON-CONTRACT-003");
    expect(json(TaskEnvelopeSchema, nested(100_000)).code).toBe("BATON-CONTRACT-003");
  });

  it("refuse more elements than memory should hold, however small they are", () => {
    const refs = new Uint8Array(400_000).map((_, at) => (at % 2 === 0 ? 0x2a : 0x00));
    expect(refusal(() => decodeBinary(TaskEnvelopeSchema, refs)).message).toBe(
      "it has more than the 100000 elements that are accepted",
    );
    expect(json(TaskEnvelopeSchema, `{"refs": [${"{},".repeat(100_000)}{}]}`).code).toBe(
      "BATON-CONTRACT-001",
    );
    const unknown = new Uint8Array(400_000).map((_, at) => [0xf8, 0x3f, 0x00, 0x00][at % 4] ?? 0);
    expect(refusal(() => decodeBinary(ContractSchema, unknown)).code).toMatch(/^BATON-CONTRACT-00[12]$/);
  });

  it("let brackets and commas inside of strings through", () => {
    const text = JSON.stringify({ title: `${"[{,".repeat(50_000)}\\"` });
    expect(decodeJson(ContractSchema, text).title).toHaveLength(150_002);
  });
});

describe("the error of the boundary", () => {
  it("[CON-03] tells code, place and way out", () => {
    const error = json(TaskEnvelopeSchema, '{"execution": {"attemptNumber": 3000000000}}');
    expect(String(error)).toBe(
      [
        "BATON-CONTRACT-002  vasini.agent.v1.TaskEnvelope: execution.attempt_number expected number (int32): 3000000000 out of range",
        "  at execution.attempt_number: expected number (int32): 3000000000 out of range (json)",
        "  fix: change the named fields; docs/reference/contract.md lists every field and rule",
      ].join("\n"),
    );
  });

  it("[CON-03] travels as a valid ErrorDetail", () => {
    const detail = toErrorDetail(json(TaskEnvelopeSchema, '{"execution": {"attemptNumber": 3000000000}}'));
    expect(validate(ErrorDetailSchema, detail)).toEqual([]);
    expect(detail.code).toBe("BATON-CONTRACT-002");
    expect(detail.violations[0]?.field).toBe("execution.attempt_number");
    expect(detail.fix).not.toBe("");
  });
});

describe("both forms", () => {
  it("[CON-11] carry unknown fields through a decode and an encode", () => {
    const bytes = Uint8Array.of(0x0a, 0x01, 0x74, 0xf8, 0x3f, 0x2a, 0xfa, 0x3f, 0x02, 0x68, 0x69);
    expect(encodeBinary(ContractSchema, decodeBinary(ContractSchema, bytes))).toEqual(bytes);
  });

  it("accept field names in lowerCamelCase and as in the proto files", () => {
    const camel = decodeJson(ContractSchema, '{"taskId": "t"}');
    expect(camel).toEqual(decodeJson(ContractSchema, '{"task_id": "t"}'));
    expect(encodeJson(ContractSchema, camel)).toBe('{"taskId":"t"}');
  });
});
