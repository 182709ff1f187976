import type { JsonObject } from "@bufbuild/protobuf";

export interface ProtocolOptions {
  /** JSON Schema that `data` has to satisfy. */
  readonly dataSchema?: JsonObject | undefined;
  /** The graph lets this agent end the workflow. */
  readonly allowCompleted?: boolean | undefined;
  /** The graph lets this agent send the work back to the previous one (SACP §11). */
  readonly allowRetry?: boolean | undefined;
}

/** What the block shows for values. An answer that has them is a copy of the block. */
export const placeholders = {
  thought: "Your reasoning process here...",
  message: "The final human-readable answer.",
};

/** The example of the block. A model that repeats it before its answer does not answer with it. */
export const blockExample = {
  thought: "I need to calculate the sum. 5+5 is 10.",
  status: "success",
  data: { result: 10 },
  message: "The result is 10.",
};

/** SACP §3.1, word for word. */
const template = `### SYSTEM PROTOCOL: RESPONSE FORMAT INSTRUCTIONS
You are a highly organized AI agent integrated into a larger workflow.
CRITICAL: You MUST provide your response in a valid JSON format.
DO NOT include any text outside the JSON block.
DO NOT use markdown code blocks (\`\`\`json ... \`\`\`) unless specifically asked, but the raw response MUST be parseable JSON.

Your response schema is:
{
    "thought": "${placeholders.thought}",
    "status": "success" | "failure" | "clarification_needed",
    "data": {
        "key": "value"
        // Any structured data extracted or generated
    },
    "message": "${placeholders.message}"
}

Example:
{
    "thought": "${blockExample.thought}",
    "status": "success",
    "data": { "result": 10 },
    "message": "${blockExample.message}"
}
`;

const always = `Choose "status" by these rules:
- "success": the task is done as asked.
- "failure": the task cannot be done. "message" gives the reason.
- "clarification_needed": you need a decision or a fact from the user. "message" is your question.`;

const completed = `- "completed": the goal of the whole workflow is reached, and no further agent is needed.`;

const retry = `- "retry_with_instruction": what the previous agent handed to you cannot be used. "message" is the instruction for that agent.`;

/** The instructions that make a model answer in the protocol (SACP §3.1), with what holds for this agent. */
export function protocolBlock({ dataSchema, allowCompleted, allowRetry }: ProtocolOptions = {}): string {
  const rules = [always, ...(allowCompleted ? [completed] : []), ...(allowRetry ? [retry] : [])].join("\n");
  const schema = dataSchema
    ? `\nWith "status": "success"${allowCompleted ? ' or "completed"' : ""}, the "data" object MUST be valid against this JSON Schema:\n${JSON.stringify(dataSchema, null, 2)}\n`
    : "";
  return `${template}\n${rules}\n${schema}`;
}

/** A system prompt with the block after it (SAC-02). A prompt that ends with this block already stays as it is. */
export function appendProtocol(systemPrompt: string, options: ProtocolOptions = {}): string {
  const block = protocolBlock(options);
  const prompt = systemPrompt.trimEnd();
  if (prompt.endsWith(block.trimEnd())) return systemPrompt;
  return prompt === "" ? block : `${prompt}\n\n${block}`;
}
