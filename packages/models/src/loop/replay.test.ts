import { type EnvelopeInput, envelope, type Run, runAgent } from "@baton/agent/testing";
import { GivenStepsSchema, ResponseStatus, type TaskEnvelope } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it, onTestFinished } from "vitest";
import { type Scripted, startModelServer } from "../../testing/index.ts";
import { withModel } from "../agent/model-agent.ts";
import { answer } from "../testing/run-model.ts";
import type { ModelTool } from "../tools/tool.ts";

/** Another attempt at the same work, with the steps of the one before. */
function nextAttempt(input: EnvelopeInput, { steps }: Pick<Run, "steps">): TaskEnvelope {
  const last = new Map(
    steps.map((step) => [`${step.name} ${step.argumentsDigest} ${step.occurrence}`, step]),
  );
  const known = [...last.values()];
  return { ...envelope(input), steps: create(GivenStepsSchema, { count: known.length, steps: known }) };
}

async function agentWith(script: readonly Scripted[], call: ModelTool["call"]) {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const tool: ModelTool = {
    ...{ name: "send", description: "Sends a letter.", inputSchema: { type: "object" } },
    ...{ idempotent: false, critical: false, call },
  };
  const definition = withModel({
    ...{ pack: "writer", version: "1.0.0", taskTypes: ["letter"], tools: [tool], variables: {} },
    models: {
      providers: [{ id: "local", kind: "openai-compatible", base_url: server.baseUrl }],
      models: [{ id: "large", provider: "local", context_window: 8_000, price: { input: 1, output: 1 } }],
    },
    model: { model: "large", system_prompt: "You send letters.", use_standard_protocol: true },
  });
  return { definition, requests: server.requests };
}

const sends: Scripted = { text: "I send it.", toolCalls: [{ name: "send", args: { to: "Ada" } }] };

it("[SAC-12] a finished call is not paid again, and a finished tool not run again, after a lost attempt", async () => {
  let sent = 0;
  const { definition, requests } = await agentWith(
    [
      sends,
      { status: 500, message: "out" },
      ...Array.from({ length: 4 }, () => ({ status: 500 })),
      { text: answer({ status: "success" }) },
    ],
    async () => ({ text: `letter ${++sent} is sent` }),
  );
  const task = { title: "Write to Ada" };
  const lost = await runAgent(definition, envelope(task));
  expect(lost.result?.status?.failureCode).toBe("MODEL_UNREACHABLE");
  const next = await runAgent(definition, nextAttempt(task, lost));
  expect(next.result?.response?.status).toBe(ResponseStatus.SUCCESS);
  expect(sent).toBe(1);
  expect(requests.filter(({ messages }) => messages.length === 1).length).toBe(1);
  expect(next.turns.length).toBe(1);
  expect(next.result?.usage?.inputTokens).toBe(10n);
});

it("[SAC-08] an unknown outcome of a call is reported to the model, and the call is not repeated", async () => {
  let sent = 0;
  const ends = new AbortController();
  const { definition, requests } = await agentWith(
    [sends, { text: answer({ status: "success" }) }],
    async (_args, { signal }) => {
      sent++;
      const ended = new Promise<never>((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error("the attempt is over"))),
      );
      ends.abort();
      return ended;
    },
  );
  const task = { title: "Write to Ada" };
  const ended = await runAgent(definition, envelope(task), { cancel: ends.signal });
  const next = await runAgent(definition, nextAttempt(task, ended));
  expect(next.result?.response?.status).toBe(ResponseStatus.SUCCESS);
  expect(sent).toBe(1);
  expect(requests.at(-1)?.messages.at(-1)?.toolResults[0]?.text).toContain("unknown whether it took effect");
});

it("[SAC-07] the answer to a question continues the conversation in which it was asked", async () => {
  const { definition, requests } = await agentWith(
    [
      { text: answer({ status: "clarification_needed", message: "To which Ada?" }) },
      { text: answer({ status: "success" }) },
    ],
    async () => ({ text: "" }),
  );
  const asked = await runAgent(definition, envelope({ title: "Write to Ada" }));
  expect(asked.result?.response?.status).toBe(ResponseStatus.CLARIFICATION_NEEDED);
  const clarifications = [{ question: "To which Ada?", answer: "Ada Lovelace" }];
  const next = await runAgent(definition, nextAttempt({ title: "Write to Ada", clarifications }, asked));
  expect(next.result?.response?.status).toBe(ResponseStatus.SUCCESS);
  expect(requests.length).toBe(2);
  const roles = requests[1]?.messages.map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "user"]);
  expect(requests[1]?.messages.at(-1)?.text).toContain("Ada Lovelace");
});
