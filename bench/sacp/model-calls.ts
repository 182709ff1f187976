/** A model call as a run of the hub, durable and audited, beside the plain AI SDK on the same local server. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import { type LoadFigures, runLoad } from "../load.ts";
import { bound, median, printTable } from "../measure.ts";
import { startHub } from "./running-hub.ts";

const inFlight = 16;
/** A fast model writes 50 tokens a second, and is asked for the whole of an answer at once by nobody. */
const pieceDelayMs = 20;
const allowedRatio = 1.5;
const count = 96;
const turns = 3;

export async function benchModelCalls(directory: string): Promise<void> {
  console.log(
    `\na model call through the hub, ${inFlight} at once, beside the AI SDK; at most ${allowedRatio} times\n`,
  );
  const rows = [];
  for (const delayMs of [pieceDelayMs, 0]) {
    const { hub, sdk, ratio } = await measure(join(directory, `calls-${delayMs}`), delayMs);
    const model = delayMs === 0 ? "a model that takes no time" : `a model of 20 pieces, ${delayMs} ms apart`;
    rows.push(row(model, hub, ratio), row("  the AI SDK alone", sdk));
    if (delayMs > 0) bound(`model calls through the hub: times the AI SDK, ${model}`, ratio, allowedRatio);
  }
  printTable(rows);
  console.log(
    "\nwhat the hub adds to a model that takes no time is what a durable run costs; it has no bound",
  );
}

async function measure(folder: string, delayMs: number) {
  const model = fork(new URL("./model-program.ts", import.meta.url), [String(delayMs)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const baseUrl = await addressOf(model);
  const hub = await startHub(folder, projectFor(baseUrl));
  try {
    await hub.attached(1);
    const throughHub = () => hub.runTask("answering");
    const plain = plainCall(baseUrl);
    for (const one of [throughHub, plain]) await runLoad(inFlight, count, one);
    const pairs: { hub: LoadFigures; sdk: LoadFigures }[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const sdk = await runLoad(inFlight, count, plain);
      pairs.push({ hub: await runLoad(inFlight, count, throughHub), sdk });
    }
    const ratio = median(pairs.map((pair) => pair.sdk.perSecond / pair.hub.perSecond));
    const middle = pairs.toSorted((a, b) => a.hub.perSecond - b.hub.perSecond)[Math.floor(turns / 2)];
    if (!middle) throw new Error("nothing was measured");
    return { ...middle, ratio };
  } finally {
    await hub.end();
    model.disconnect();
  }
}

async function addressOf(model: ChildProcess): Promise<string> {
  const [{ baseUrl }] = (await once(model, "message")) as [{ baseUrl: string }];
  return baseUrl;
}

function plainCall(baseURL: string): () => Promise<void> {
  const model = createOpenAICompatible({ name: "local", baseURL, includeUsage: true })("fast");
  return async () => {
    const result = streamText({
      model,
      instructions: "You know the weather.",
      prompt: "The weather in London",
    });
    for await (const _ of result.textStream);
    await result.usage;
  };
}

export function projectFor(baseUrl: string): Readonly<Record<string, string>> {
  return {
    "config/models.yaml": `providers:
  - { id: local, kind: openai-compatible, base_url: "${baseUrl}", concurrency: 64 }
models:
  - { id: fast, provider: local, context_window: 100000, price: { input: 1, output: 5 } }
`,
    "packs/weather/profession-pack.yaml": `profession_pack:
  pack_id: weather
  pack_version: "1.0.0"
  supported_task_types: [answering]
  interface: { max_concurrent_tasks: 64 }
  model:
    model: fast
    use_standard_protocol: true
    system_prompt: You know the weather.
`,
  };
}

function row(name: string, load: LoadFigures, ratio?: number): Record<string, string> {
  return {
    "": name,
    "a second": load.perSecond.toFixed(1),
    "p50 ms": load.p50Ms.toFixed(0),
    "p99 ms": load.p99Ms.toFixed(0),
    times: ratio === undefined ? "" : ratio.toFixed(2),
  };
}
