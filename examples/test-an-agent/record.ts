/** Records `recordings/researcher.json` against the local model of the test kit, so that no key is needed. */
import { join } from "node:path";
import { runAgent } from "@baton/agent/testing";
import { withModel } from "@baton/models";
import { recordedModel, startModelServer } from "@baton/models/testing";
import { findTheCeo } from "./find-the-ceo.ts";
import { researcher } from "./researcher.ts";

const found = {
  thought: "The CEO is John Doe, but there is no direct email. I guess standard formats.",
  status: "success",
  data: { ceo_name: "John Doe", domain: "acme.com", guesses: ["jdoe@acme.com", "john.doe@acme.com"] },
  message: "I identified the CEO as John Doe.",
};
const server = await startModelServer([
  {
    text: "I look the company up first.",
    toolCalls: [{ id: "toolu_01", name: "search_directory", args: { company: "Acme Corp." } }],
    usage: { input: 812, output: 74 },
  },
  { text: JSON.stringify(found), usage: { input: 965, output: 118 } },
]);
const provider = { id: "anthropic", kind: "openai-compatible", base_url: server.baseUrl };
const calls = recordedModel(join(import.meta.dirname, "recordings/researcher.json"), { record: "all" });
const models = { ...researcher.models, providers: [provider] };
const { result } = await runAgent(withModel({ ...researcher, models, calls }), findTheCeo);
console.log(result?.status?.summary);
await server.close();
