import { describe, expect, it } from "vitest";
import { appendProtocol, protocolBlock } from "./protocol-block.ts";
import { readResponse } from "./read-response.ts";

/** SACP §3.1. */
const specified = `### SYSTEM PROTOCOL: RESPONSE FORMAT INSTRUCTIONS
You are a highly organized AI agent integrated into a larger workflow.
CRITICAL: You MUST provide your response in a valid JSON format.
DO NOT include any text outside the JSON block.
DO NOT use markdown code blocks (\`\`\`json ... \`\`\`) unless specifically asked, but the raw response MUST be parseable JSON.

Your response schema is:
{
    "thought": "Your reasoning process here...",
    "status": "success" | "failure" | "clarification_needed",
    "data": {
        "key": "value"
        // Any structured data extracted or generated
    },
    "message": "The final human-readable answer."
}

Example:
{
    "thought": "I need to calculate the sum. 5+5 is 10.",
    "status": "success",
    "data": { "result": 10 },
    "message": "The result is 10."
}
`;

describe("the protocol block", () => {
  it("[SAC-02] begins with the template of the specification, word for word", () => {
    for (const options of [{}, { allowCompleted: true, allowRetry: true, dataSchema: { type: "object" } }])
      expect(protocolBlock(options).startsWith(specified)).toBe(true);
  });

  it("[SAC-02] explains completed and retry_with_instruction only where the graph allows them", () => {
    const plain = protocolBlock();
    expect(plain).not.toMatch(/completed|retry_with_instruction|JSON Schema/);
    expect(protocolBlock({ allowCompleted: true })).toMatch(/^- "completed": /m);
    expect(protocolBlock({ allowRetry: true })).toMatch(/^- "retry_with_instruction": /m);
  });

  it("[SAC-02] has the agent's own data schema when it has one", () => {
    const dataSchema = { type: "object", properties: { guesses: { type: "array" } }, required: ["guesses"] };
    expect(protocolBlock({ dataSchema })).toContain(JSON.stringify(dataSchema, null, 2));
  });

  it("[SAC-02] comes after the author's prompt, once", () => {
    const once = appendProtocol("You find addresses.\n", { allowRetry: true });
    expect(once).toBe(`You find addresses.\n\n${protocolBlock({ allowRetry: true })}`);
    expect(appendProtocol(once, { allowRetry: true })).toBe(once);
    expect(appendProtocol("")).toBe(protocolBlock());
  });

  it("[SAC-03] a model that only repeats it gives no answer by its schema", () => {
    const schema = protocolBlock().split("Example:")[0] ?? "";
    expect(readResponse(schema).how).toBe("fallback");
  });
});
