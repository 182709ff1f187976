import {
  AgentResultSchema,
  ContractError,
  ContractSchema,
  decodeBinary,
  decodeJson,
  defaultLimits,
  ErrorDetailSchema,
  EvidenceSchema,
  ExecutionSchema,
  encodeBinary,
  encodeJson,
  invalid,
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
    ["a field number beyond the largest", [0x80, 0x80, 0x80, 0x80, 0x10, 0x00]],
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
  it.each([
    [
      '{"execution": {"attemptNumber": 1e100}}',
      "execution.attempt_number",
      "expected a whole number of 32 bits, got 1e+100",
    ],
    [
      '{"execution": {"attemptNumber": 1.5}}',
      "execution.attempt_number",
      "expected a whole number of 32 bits, got 1.5",
    ],
    [
      '{"refs": [{"uriOrLocator": "a"}, {"refType": "REF_TYPE_WISH"}]}',
      "refs[1].ref_type",
      'expected a value of RefType, got "REF_TYPE_WISH"',
    ],
    ['{"refs": [{"refType": 1.5}]}', "refs[0].ref_type", "expected a value of RefType, got 1.5"],
    ['{"refs": [null]}', "refs[0]", "must not be null"],
    [
      '{"contract": {"acceptanceCriteria": "one"}}',
      "contract.acceptance_criteria",
      'expected a list, got "one"',
    ],
    [
      '{"contract": {"acceptanceCriteria": [1]}}',
      "contract.acceptance_criteria[0]",
      "expected a text, got 1",
    ],
    ['{"contract": []}', "contract", "expected an object, got a list"],
    ['{"execution": {"deadline": "tomorrow"}}', "execution.deadline", "expected a time such as"],
    ['{"execution": {"timeout": "5 minutes"}}', "execution.timeout", 'expected a duration such as "1.5s"'],
    ['{"execution": {"timeout": 5}}', "execution.timeout", "got 5"],
    ['{"inputs": []}', "inputs", "expected an object, got a list"],
    ['{"contractt": {}}', "contractt", "is not a field of the message; did you mean contract?"],
  ])("[CON-03] is refused with the path of the field: %s", (text, field, message) => {
    const error = json(TaskEnvelopeSchema, text);
    expect(error.code).toBe("BATON-CONTRACT-002");
    expect(error.message).toContain(message);
    expect(error.violations[0]?.field).toBe(field);
  });

  it.each(["refuse", "ignore"] as const)(
    "is refused for an enum value nobody knows (%s)",
    (unknownFields) => {
      const text = '{"status": {"outcome": "OUTCOME_SUCESS"}}';
      const error = refusal(() => decodeJson(AgentResultSchema, text, { unknownFields }));
      expect(error.message).toBe(
        'status.outcome expected a value of Outcome, got "OUTCOME_SUCESS"; did you mean OUTCOME_SUCCESS?',
      );
    },
  );

  it.each([
    "2026-02-30T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-13-01T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01",
  ])("is refused for %s, which no calendar knows", (deadline) => {
    const error = json(ExecutionSchema, JSON.stringify({ deadline }));
    expect(error.violations[0]?.field).toBe("deadline");
  });

  it("takes leap days and times of other zones for what they are", () => {
    const { deadline } = decodeJson(ExecutionSchema, '{"deadline": "2024-02-29T23:30:00.5-01:00"}');
    expect(deadline?.seconds).toBe(BigInt(Date.UTC(2024, 2, 1, 0, 30) / 1000));
  });

  it("takes the null arm of a oneof for an absent one, as other languages do", () => {
    const { evidencePayload } = decodeJson(EvidenceSchema, '{"items": null, "noneWithReason": "x"}');
    expect(evidencePayload).toEqual({ case: "noneWithReason", value: "x" });
  });

  it("is refused for two arms of a oneof", () => {
    expect(json(EvidenceSchema, '{"items": {}, "noneWithReason": "x"}').message).toContain("multiple times");
  });

  it.each([
    [
      "a key that comes twice",
      '{"refs": [{"digest": "a",\n "digest": "b"}]}',
      'at 2:2: the key "digest" comes twice',
    ],
    ["a key in two spellings", '{"refs": [], "\\u0072efs": []}', 'the key "refs" comes twice'],
    ["a text that ends early", '{"refs": [{"digest": "a"', "position 24"],
    ["another kind of value", "[]", "the message expected an object, got a list"],
    ["a bare word", "null", "the message expected an object, got null"],
    ["nothing", "", "end of JSON"],
  ])("is refused for %s", (_, text, message) => {
    const error = json(TaskEnvelopeSchema, text);
    expect(error.code).toBe("BATON-CONTRACT-002");
    expect(error.message).toContain(message);
  });

  it("is refused for a number of four million digits without reading them", () => {
    const error = json(
      TaskEnvelopeSchema,
      `{"execution": {"budget": {"maxTokens": "${"2".repeat(4_000_000)}"}}}`,
    );
    expect(error.violations[0]?.field).toBe("execution.budget.max_tokens");
    expect(error.message.length).toBeLessThan(400);
  });

  it("lets a key that is also a value pass, and equal keys of different objects", () => {
    const text = '{"refs": [{"digest": "digest"}, {"digest": "digest"}], "inputs": {"a": ["a", "a"]}}';
    expect(decodeJson(TaskEnvelopeSchema, text).refs).toHaveLength(2);
  });

  it("is refused when its bytes are not UTF-8", () => {
    const bytes = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d);
    expect(refusal(() => decodeJson(ContractSchema, bytes)).message).toBe("the text is not UTF-8");
  });

  it("[CON-11] may carry fields of a newer version when it comes from a peer", () => {
    const text = '{"taskId": "t-1", "mood": "good", "io": {"weather": 1}}';
    expect(decodeJson(ContractSchema, text, { unknownFields: "ignore" }).taskId).toBe("t-1");
    expect(json(ContractSchema, text).violations).toEqual([
      { field: "mood", rule: "json", message: "is not a field of the message" },
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

  it("are the same in both forms", () => {
    const deepest = decodeJson(TaskEnvelopeSchema, nested(62));
    expect(decodeBinary(TaskEnvelopeSchema, encodeBinary(TaskEnvelopeSchema, deepest))).toEqual(deepest);
    const lists = decodeJson(TaskEnvelopeSchema, `{"inputs": {"a": ${"[".repeat(62)}${"]".repeat(62)}}}`);
    expect(decodeBinary(TaskEnvelopeSchema, encodeBinary(TaskEnvelopeSchema, lists))).toEqual(lists);
    expect(json(TaskEnvelopeSchema, nested(64)).code).toBe("BATON-CONTRACT-003");
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
    const refs = new Uint8Array(100_000).map((_, at) => (at % 2 === 0 ? 0x2a : 0x00));
    expect(refusal(() => decodeBinary(TaskEnvelopeSchema, refs)).message).toBe(
      "it has more than the 25000 elements that are accepted",
    );
    expect(json(TaskEnvelopeSchema, `{"refs": [${"{},".repeat(25_000)}{}]}`).code).toBe("BATON-CONTRACT-001");
    const unknown = new Uint8Array(150_000).map((_, at) => [0xf8, 0x3f, 0x00][at % 3] ?? 0);
    expect(refusal(() => decodeBinary(ContractSchema, unknown)).code).toBe("BATON-CONTRACT-001");
  });

  it("refuse a text of nothing but quotes without reading it all", () => {
    expect(json(TaskEnvelopeSchema, '"'.repeat(4 * 1024 * 1024)).code).toBe("BATON-CONTRACT-001");
    const many = JSON.stringify({
      inputs: Object.fromEntries(Array.from({ length: 24_000 }, (_, at) => [`k${at}`, "v"])),
    });
    expect(Object.keys(decodeJson(TaskEnvelopeSchema, many).inputs ?? {})).toHaveLength(24_000);
  });

  it("let brackets and commas inside of strings through", () => {
    const text = JSON.stringify({ title: `${"[{,".repeat(50_000)}\\"` });
    expect(decodeJson(ContractSchema, text).title).toHaveLength(150_002);
  });
});

describe("the error of the boundary", () => {
  it("[CON-03] prints code, field and fix", () => {
    const error = json(TaskEnvelopeSchema, '{"execution": {"attemptNumber": "many"}}');
    expect(String(error)).toBe(
      [
        "BATON-CONTRACT-002  vasini.agent.v1.TaskEnvelope: cannot be taken",
        '  at execution.attempt_number: expected a whole number of 32 bits, got "many" (json)',
        "  fix: change the named fields; docs/reference/contract.md lists every field and rule",
      ].join("\n"),
    );
  });

  it("names the line for people with an editor", () => {
    const error = json(TaskEnvelopeSchema, '{"refs": [\n  {"digest": "a" "b"}\n]}');
    expect(String(error)).toContain("line 2 column");
    expect(error.fix).toBe("correct the text at the named position: it must be JSON");
  });

  it("[OBS-05] quotes no part of a text that is no JSON, which could be half a secret", () => {
    for (const text of ["somebody@example.com", '{"a": somebody@example.com}', '{"somebodys secret": tru}']) {
      const error = json(TaskEnvelopeSchema, text);
      expect(`${error} ${error.fix} ${String(error.cause)}`).not.toMatch(/some|ody|cret|tru\}/);
    }
  });

  it("does not grow with what caused it", () => {
    const key = "k".repeat(1_000_000);
    expect(String(json(ContractSchema, `{"${key}": 1}`)).length).toBeLessThan(1_000);
    const refs = Array.from({ length: 5_000 }, () => ({}));
    const violations = validate(TaskEnvelopeSchema, create(TaskEnvelopeSchema, { refs }));
    const error = invalid(TaskEnvelopeSchema, violations);
    expect([violations.length > 5_000, error.violations.length]).toEqual([true, 100]);
    expect(error.message).toContain(`and ${violations.length - 1} more`);
  });

  it("[CON-03] travels as a valid ErrorDetail", () => {
    const detail = toErrorDetail(json(TaskEnvelopeSchema, '{"execution": {"attemptNumber": "many"}}'));
    expect(validate(ErrorDetailSchema, detail)).toEqual([]);
    expect(detail.code).toBe("BATON-CONTRACT-002");
    expect(detail.violations[0]?.field).toBe("execution.attempt_number");
    expect(detail.fix).not.toBe("");
  });
});

describe("a byte order mark", () => {
  it("is text in a field, and a remark at the start of a document", () => {
    const thought = "\ufeffhm";
    const message = create(ContractSchema, { title: thought });
    expect(decodeBinary(ContractSchema, encodeBinary(ContractSchema, message)).title).toBe(thought);
    const document = Buffer.from(`\ufeff${encodeJson(ContractSchema, message)}`);
    expect(decodeJson(ContractSchema, document).title).toBe(thought);
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
