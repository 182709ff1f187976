import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  CancelAgentRequestSchema,
  decodeJson,
  encodeJson,
  Outcome,
  RunAgentResponseSchema,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import type { CommandPack } from "@baton/runtime";
import { create } from "@bufbuild/protobuf";
import { onTestFinished } from "vitest";
import { manifest } from "./announce.ts";
import { type Behaviour, Cancels, type Connector } from "./connector.ts";
import { listening } from "./listening.ts";

const program = fileURLToPath(new URL("./command-agent.mjs", import.meta.url));

/** A command that the hub starts itself for every attempt, and that ends with it. */
export const command: Connector = {
  name: "a command",
  traits: { endsWithHub: true, readsAnyText: true, givesNoReason: true },
  async connectAgent(first, behaviour) {
    // A command that is killed cuts its line, which is no failure of the one that reads it.
    const server = createServer((socket) => void serve(socket, behaviour).catch(cutOff));
    const { uri } = await listening(server);
    const pack: CommandPack = {
      tenantId: "acme",
      manifest,
      command: {
        run: [process.execPath, program],
        // It reaches the test by a socket, which no sandbox lets through.
        sandbox: "off",
        ...{ envelope: "stdin", env: { TEST_PORT: new URL(uri).port }, passEnv: [], extraArgs: [] },
      },
    };
    await first.setCommands([pack]);
    return { returnTo: (hub) => hub.setCommands([pack]) };
  },
};

/** One run of the command: says what the behaviour says. */
async function serve(socket: Socket, behaviour: Behaviour): Promise<void> {
  const cancels = new Cancels();
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  const send = (message: object) => void socket.write(`${lineOf(message)}\n`);
  let dispatchId = "";
  for await (const line of createInterface({ input: socket })) {
    const { envelope: text, received } = JSON.parse(line) as { envelope?: string; received?: string };
    if (received !== undefined) cancels.cancel(create(CancelAgentRequestSchema, { dispatchId }));
    if (text === undefined) continue;
    const envelope = decodeJson(TaskEnvelopeSchema, text);
    dispatchId = envelope.execution?.dispatchId ?? "";
    const say = (message: Parameters<Parameters<Behaviour>[0]["say"]>[0]) =>
      send({ print: encodeJson(RunAgentResponseSchema, create(RunAgentResponseSchema, { message })) });
    const declined = { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "no room", failureCode: "BUSY" };
    void behaviour({
      envelope,
      number: envelope.execution?.attemptNumber ?? 0,
      cancelled: cancels.of(dispatchId).promise,
      say,
      babble: () => {
        send({ print: "\u0000\u0007 no message \ufffd" });
        send({ end: "done" });
      },
      decline: () => say({ case: "result", value: resultFor(envelope, { status: declined }) }),
      die: () => send({ end: "killed" }),
    }).finally(() => send({ end: "done" }));
  }
}

function cutOff(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ECONNRESET")) throw error;
}

/** Readers of lines take these for the end of one, too. */
function lineOf(message: object): string {
  return JSON.stringify(message).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
