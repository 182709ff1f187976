/** A model agent with a tool: it searches a directory of people, and guesses addresses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelAgentOptions, type ModelTool, startModelAgent } from "@baton/models";
import { parse } from "yaml";

const people = new Map([["Acme Corp.", { ceo: "John Doe", domain: "acme.com" }]]);

export const searchDirectory: ModelTool = {
  name: "search_directory",
  description: "Finds the head of a company and its mail domain.",
  inputSchema: {
    type: "object",
    properties: { company: { type: "string" } },
    required: ["company"],
    additionalProperties: false,
  },
  idempotent: true,
  critical: false,
  async call({ company }) {
    const found = people.get(String(company));
    return found ? { text: JSON.stringify(found) } : { text: "no such company", isError: true };
  },
};

export const researcher: ModelAgentOptions = {
  pack: "researcher",
  version: "1.0.0",
  role: "researcher",
  taskTypes: ["research"],
  tools: [searchDirectory],
  models: parse(readFileSync(join(import.meta.dirname, "models.yaml"), "utf8")),
  model: {
    model: "small",
    system_prompt: `You find people. Search the directory first.
Answer with ceo_name, domain and guesses: addresses that are likely, the most likely one first.`,
    use_standard_protocol: true,
  },
};

if (import.meta.main) {
  await startModelAgent(researcher);
  console.log("the researcher is attached");
}
