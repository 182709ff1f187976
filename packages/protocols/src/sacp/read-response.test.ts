import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { readResponse } from "./read-response.ts";
import { longestResponse, type ReadOptions } from "./reading.ts";
import {
  allStatuses,
  fallbackResponse,
  responseStatuses,
  type SacpResponse,
  SacpResponseSchema,
} from "./response.ts";

const fence = "```";
const weather: SacpResponse = {
  thought: "I looked it up.",
  status: "success",
  data: { temp: 15 },
  message: "It is 15 degrees.",
};
const json = JSON.stringify(weather);

const kinds = (text: string, options?: ReadOptions) =>
  readResponse(text, options).liberties.map(({ kind, path }) => (path ? `${kind} ${path}` : kind));

describe("a response of SACP", () => {
  it("[SAC-01] has the fields and the four statuses of the specification", () => {
    for (const status of responseStatuses)
      expect(SacpResponseSchema.parse({ ...weather, status })).toEqual({ ...weather, status });
    expect(responseStatuses).toEqual(["success", "failure", "clarification_needed", "completed"]);
    expect(SacpResponseSchema.safeParse({ ...weather, status: "retry_with_instruction" }).success).toBe(
      false,
    );
    for (const name of ["thought", "status", "data", "message"])
      expect(SacpResponseSchema.safeParse({ ...weather, [name]: undefined }).success).toBe(false);
  });

  it("[SAC-01] [SAC-11] may send work back only where that is allowed", () => {
    const text = JSON.stringify({ ...weather, status: "retry_with_instruction" });
    expect(readResponse(text, { allow: allStatuses }).response.status).toBe("retry_with_instruction");
    expect(readResponse(text)).toMatchObject({
      how: "fallback",
      problems: [{ path: ".status", rule: "enum", message: expect.stringContaining("success") }],
    });
  });
});

describe("reading an answer", () => {
  it.each([
    ["clean", json],
    ["clean", `\n${JSON.stringify(weather, null, 2)}\n`],
    ["fenced", `${fence}json\n${json}\n${fence}`],
    ["extracted", `Here it is: ${json}`],
    ["repaired", json.replace("}", ",}")],
    ["repaired", json.slice(0, -1)],
    ["repaired", JSON.stringify(json)],
    ["repaired", `{"response": ${json}}`],
    ["fallback", "I do not know."],
  ])("[SAC-03] reports that it was %s", (how, text) => {
    expect(readResponse(text).how).toBe(how);
  });

  it.each([
    [json, []],
    [json.replace('"success"', '"SUCCESS"'), ["status spelling .status"]],
    [json.replace('"status"', '"Status"'), ["field name .status"]],
    [json.replace("15}", "NaN,}"), ["number that JSON lacks", "trailing comma"]],
    [json.slice(0, -1), ["missing end"]],
    [`${json.slice(0, -1)},"next_step_hint":"go o`, ["missing end", "field cut off .next_step_hint"]],
    [`${json.slice(0, -1)},"mood":"good"}`, ["unknown field .mood"]],
    [json.replace('"temp":15', '"temp":1,"temp":15'), ["duplicate key"]],
    [json.replace("15}", "90071992547409931}"), ["number with too many digits"]],
    [json.replace('{"temp":15}', '"{\\"temp\\":15}"'), ["double-encoded .data"]],
    [`{"status":"success","message":"m"}`, ["field left out .thought", "field left out .data"]],
    [`${json.replace("success", "failure")}\n${json}`, ["several answers"]],
    [`\ufeff${json}`, []],
  ])("[SAC-03] reports every liberty: %s", (text, liberties) => {
    expect(kinds(text)).toEqual(liberties);
  });

  it("[SAC-03] reports how often, and what a schema allowed", () => {
    const dataSchema: JsonObject = {
      properties: { n: { type: "integer" }, list: { type: "array", items: { type: "string" } } },
    };
    const text = json.replace('{"temp":15}', '{"n":"10","list":"a",}').replace(/}$/, ",}");
    expect(readResponse(text, { dataSchema })).toMatchObject({
      response: { data: { n: 10, list: ["a"] } },
      liberties: [
        { kind: "trailing comma", times: 2 },
        { kind: "coerced", path: ".data.n" },
        { kind: "coerced", path: ".data.list" },
      ],
    });
  });

  it("[SAC-11] reports what of the data breaks the schema, with its path in the response", () => {
    const validate = () => [{ path: ".temp", rule: "maximum", message: "must be at most 10" }];
    const { how, problems } = readResponse(json, { validate });
    expect({ how, problems }).toEqual({
      how: "clean",
      problems: [{ path: ".data.temp", rule: "maximum", message: "must be at most 10" }],
    });
    const failed = json.replace("success", "failure");
    expect(readResponse(failed, { validate }).problems).toBeUndefined();
  });

  it("[SAC-03] lets a schema choose among answers with the same status, never among statuses", () => {
    const options = {
      dataSchema: {},
      validate: (data: JsonObject) =>
        "temp" in data ? [] : [{ path: "", rule: "required", message: "temp" }],
    };
    const empty = json.replace('{"temp":15}', "{}");
    expect(readResponse(`${json}\n${empty}`, options).response.data).toEqual({ temp: 15 });
    expect(kinds(`${json}\n${empty}`, options)).toContain("chosen by schema");
    const failed = empty.replace("success", "failure");
    expect(readResponse(`${json}\n${failed}`, options).response.status).toBe("failure");
  });

  it("[SAC-04] gives exactly the fallback of the specification when there is no answer", () => {
    const text = "Well, I looked, and {found} nothing.";
    expect(readResponse(text).response).toEqual({
      thought: "System Note: LLM failed to provide structured JSON output.",
      status: "failure",
      data: { raw_output: text },
      message: "The LLM returned an invalid response format.",
    });
    expect(SacpResponseSchema.parse(fallbackResponse(text))).toEqual(fallbackResponse(text));
  });

  it("[SAC-04] keeps as much of a text that is too long as it reads", () => {
    const text = json + " ".repeat(longestResponse);
    expect(readResponse(text)).toMatchObject({
      how: "fallback",
      problems: [{ rule: "length" }],
      liberties: [{ kind: "text cut" }],
      response: { data: { raw_output: text.slice(0, longestResponse) } },
    });
  });

  it("[SAC-03] reads 100 levels, and no more", () => {
    // The response and its data are two of them.
    const nested = (levels: number) => json.replace("15", "[".repeat(levels) + "]".repeat(levels));
    expect(readResponse(nested(98)).how).toBe("clean");
    expect(readResponse(nested(99)).how).toBe("fallback");
    expect(readResponse(`So: ${nested(98)}`).how).toBe("extracted");
    expect(readResponse(`So: ${nested(99)}`).how).toBe("fallback");
  });
});
