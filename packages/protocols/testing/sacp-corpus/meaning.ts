import { answer, category, fence, json, none, pretty, weather, written } from "./case.ts";

const raw = String.raw;
const data = (value: Record<string, unknown>) => answer({ data: value as never });

export const encoded = category("double-encoded", [
  ["all of it", JSON.stringify(json), weather],
  ["all of it, twice", JSON.stringify(JSON.stringify(json)), weather],
  ["on several lines", JSON.stringify(pretty), weather],
  ["without the quotes around", JSON.stringify(pretty).slice(1, -1), weather],
  ["in prose", `The answer is ${JSON.stringify(json)}.`, weather],
  ["in a fence", `${fence}json\n${JSON.stringify(json)}\n${fence}`, weather],
  [
    "with quotes in its message",
    JSON.stringify(JSON.stringify(answer({ message: 'He said "no".' }))),
    answer({ message: 'He said "no".' }),
  ],
  ["a fence inside", JSON.stringify(`${fence}json\n${pretty}\n${fence}`), weather],
  ["only the quotes are escaped", json.replaceAll('"', '\\"'), weather],
  ["only data", written({ data: JSON.stringify(JSON.stringify(weather.data)) }), weather],
  [
    "only data, on several lines",
    written({ data: JSON.stringify(JSON.stringify(weather.data, null, 2)) }),
    weather,
  ],
  [
    "only data, with trailing commas",
    written({ data: raw`"{\"city\": \"London\", \"temp\": 15,}"` }),
    weather,
  ],
  [
    "only data, in a fence",
    written({ data: JSON.stringify(`${fence}json\n{"n": 1}\n${fence}`) }),
    data({ n: 1 }),
  ],
  ["only data, empty", written({ data: '"{}"' }), data({})],
  ["data that is a text", written({ data: '"London, 15 degrees"' }), none],
  ["cut off", JSON.stringify(json).slice(0, -40), none],
  ["prose", JSON.stringify("The weather is fine."), none],
]);

export const truncated = category("truncated", [
  ["in the thought", '{"thought": "I look', none],
  ["before the status", '{"thought": "I looked it up.", "sta', none],
  ["in the status", '{"thought": "I looked it up.", "status": "succ', none],
  ["after the status", '{"thought": "t", "status": "success", "data":', none],
  ["in data", '{"thought": "t", "status": "success", "data": {"steps": [1, 2', none],
  [
    "in data, with an answer inside",
    '{"thought": "t", "data": {"steps": [{"status": "failure", "message": "no"}]}, "mess',
    none,
  ],
  ["in the message", '{"thought": "t", "status": "success", "data": {}, "message": "It is 1', none],
  [
    "in the message, in a fence",
    `${fence}json\n{"thought": "t", "status": "success", "data": {}, "message": "It is 1`,
    none,
  ],
  [
    "behind an unescaped quote of the message",
    '{"thought": "t", "status": "success", "data": {}, "message": "He said "no"',
    none,
  ],
  ["in the message that comes first", '{"message": "It is', none],
  ["in data that come last", '{"thought": "t", "status": "success", "message": "m", "data": {"n": 1', none],
  ["before the last brace", json.slice(0, -1), weather],
  ["before the last brace, in a fence", `${fence}json\n${json.slice(0, -1)}`, weather],
  ["in the hint", `${json.slice(0, -1)}, "next_step_hint": "go o`, weather],
  ["before the hint", `${json.slice(0, -1)}, "next_st`, weather],
  ["in a member that nobody knows", `${json.slice(0, -1)}, "notes": ["a", "b`, weather],
  [
    "a brace of data is missing",
    '{"thought": "t", "status": "success", "data": {"n": 1, "message": "m"}',
    none,
  ],
  ["the first brace is missing", json.slice(1), weather],
  ["the first brace and quote are missing", pretty.replace(/^\{\s*"/, ""), weather],
  ["the first brace is missing, in a fence", `${fence}json\n${json.slice(1)}\n${fence}`, weather],
]);

export const placeholders = category("placeholders", [
  [
    "the schema of the instructions",
    `{
    "thought": "Your reasoning process here...",
    "status": "success" | "failure" | "clarification_needed",
    "data": {
        "key": "value"
        // Any structured data extracted or generated
    },
    "message": "The final human-readable answer."
}`,
    none,
  ],
  [
    "the schema of the instructions, then the answer",
    `You asked for {"thought": "Your reasoning process here...", "status": "success" | "failure", ...}.\n${json}`,
    weather,
  ],
  [
    "the schema with a status",
    `{"thought": "Your reasoning process here...", "status": "success", "data": {"key": "value"}, "message": "The final human-readable answer."}`,
    none,
  ],
  ["a status in double braces", written({ status: '"{{status}}"' }), none],
  ["a status in angle brackets", written({ status: '"<status>"' }), none],
  ["statuses with bars", written({ status: '"success | failure"' }), none],
  [
    "double braces in a text",
    `So: ${written({ message: '"Dear {{name}}, it is {{temp}} degrees."' })}`,
    answer({ message: "Dear {{name}}, it is {{temp}} degrees." }),
  ],
  ["a bare placeholder in data", written({ data: '{"city": <city>}' }), none],
  [
    "a template before the answer",
    `{"thought": "...", "status": "...", "data": {...}, "message": "..."}\n\n${json}`,
    weather,
  ],
]);

export const statuses = category("statuses", [
  ["failure", JSON.stringify(answer({ status: "failure" })), answer({ status: "failure" })],
  [
    "clarification_needed",
    `Question:\n${JSON.stringify(answer({ status: "clarification_needed" }))}`,
    answer({ status: "clarification_needed" }),
  ],
  ["completed", JSON.stringify(answer({ status: "completed" })), answer({ status: "completed" })],
  [
    "completed, where it is not allowed",
    JSON.stringify(answer({ status: "completed" })),
    none,
    { allow: ["success", "failure"] },
  ],
  [
    "retry_with_instruction, where it is allowed",
    JSON.stringify(answer({ status: "retry_with_instruction" })),
    answer({ status: "retry_with_instruction" }),
    { allow: ["success", "failure", "retry_with_instruction"] },
  ],
  [
    "retry_with_instruction, where it is not allowed",
    JSON.stringify(answer({ status: "retry_with_instruction" })),
    none,
  ],
  ["in capitals", written({ status: '"SUCCESS"' }), weather],
  ["with blanks", written({ status: '" success "' }), weather],
  ["with a capital", written({ status: '"Failure"' }), answer({ status: "failure" })],
  [
    "with a hyphen",
    written({ status: '"clarification-needed"' }),
    answer({ status: "clarification_needed" }),
  ],
  ["in camel case", written({ status: '"clarificationNeeded"' }), answer({ status: "clarification_needed" })],
  ["in words", written({ status: '"Clarification needed"' }), answer({ status: "clarification_needed" })],
  ["a synonym of success", written({ status: '"done"' }), none],
  ["another synonym of success", written({ status: '"ok"' }), none],
  ["a synonym of failure", written({ status: '"error"' }), none],
  ["the name of the specification's first chapter", written({ status: '"needs_input"' }), none],
  ["with an explanation", written({ status: '"success (partially)"' }), none],
  ["a boolean", written({ status: "true" }), none],
  ["null", written({ status: "null" }), none],
  ["a list", written({ status: '["success"]' }), none],
  ["none", `{"thought": "t", "data": {}, "message": "m"}`, none],
  ["of the data only", `{"thought": "t", "data": {"status": "success"}, "message": "m"}`, none],
]);

const schema = {
  type: "object",
  properties: {
    city: { type: "string" },
    temp: { type: "integer" },
    share: { type: "number" },
    rain: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    at: { $ref: "#/$defs/point" },
    days: { type: "array", items: { $ref: "#/$defs/point" } },
  },
  $defs: { point: { type: "object", properties: { x: { type: "number" } } } },
} as const;
const withSchema = { dataSchema: schema as never };
const wantsTemp = {
  ...withSchema,
  validate: (value: object) =>
    "temp" in value && typeof value.temp === "number"
      ? []
      : [{ path: ".temp", rule: "required", message: "is missing" }],
};

export const types = category("types and schemas", [
  ["a number as text", written({ data: '{"temp": "15"}' }), data({ temp: 15 }), withSchema],
  ["a fraction as text", written({ data: '{"share": " 0.25 "}' }), data({ share: 0.25 }), withSchema],
  ["a boolean as text", written({ data: '{"rain": "true"}' }), data({ rain: true }), withSchema],
  ["a boolean of Python as text", written({ data: '{"rain": "False"}' }), data({ rain: false }), withSchema],
  ["one value for a list", written({ data: '{"tags": "windy"}' }), data({ tags: ["windy"] }), withSchema],
  [
    "an object as text",
    written({ data: raw`{"at": "{\"x\": \"1.5\"}"}` }),
    data({ at: { x: 1.5 } }),
    withSchema,
  ],
  [
    "a list as text",
    written({ data: raw`{"days": "[{\"x\": 1}]"}` }),
    data({ days: [{ x: 1 }] }),
    withSchema,
  ],
  ["a number that is no integer", written({ data: '{"temp": "15.5"}' }), data({ temp: "15.5" }), withSchema],
  [
    "a number with a unit",
    written({ data: '{"temp": "15 degrees", "rain": "true"}' }),
    data({ temp: "15 degrees", rain: true }),
    withSchema,
  ],
  [
    "a number with leading zeros",
    written({ data: '{"temp": "007", "share": "1"}' }),
    data({ temp: "007", share: 1 }),
    withSchema,
  ],
  [
    "a word for a boolean",
    written({ data: '{"rain": "yes", "temp": "1"}' }),
    data({ rain: "yes", temp: 1 }),
    withSchema,
  ],
  ["text without a schema", `So: ${written({ data: '{"temp": "15"}' })}`, data({ temp: "15" })],
  [
    "the answer that the schema wants",
    `${fence}json\n${json}\n${fence}\n${fence}json\n${written({ data: '{"city": "Paris"}' })}\n${fence}`,
    weather,
    wantsTemp,
  ],
  [
    "a failure after an answer that the schema wants",
    `${json}\n${written({ status: '"failure"', data: "{}" })}`,
    answer({ status: "failure", data: {} }),
    wantsTemp,
  ],
  ["a list for data", written({ data: '[{"n": 1}]' }), none],
  ["a number for data", written({ data: "15" }), none],
  ["null for data", written({ data: "null" }), data({})],
  ["null for the hint", written({ next_step_hint: "null" }), weather],
  ["a list of thoughts", written({ thought: '["a", "b"]' }), answer({ thought: '["a","b"]' })],
  ["a number for the message", written({ message: "15" }), answer({ message: "15" })],
  [
    "no thought",
    `{"status": "success", "data": {}, "message": "m"}`,
    { thought: "", status: "success", data: {}, message: "m" },
  ],
  [
    "no data",
    `{"thought": "t", "status": "success", "message": "m"}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  ["no message", `{"thought": "t", "status": "success", "data": {"n": 1}}`, none],
  ["deeper than 100 levels", written({ data: `{"a": ${"[".repeat(120)}${"]".repeat(120)}}` }), none],
]);
