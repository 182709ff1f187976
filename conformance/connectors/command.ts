import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  CancelAgentRequestSchema,
  decodeJson,
  encodeJson,
  Outcome,
  RunAgentResponseSchema,
  type Step,
  StepSchema,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import type { CommandPack } from "@baton/runtime";
import { create, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { expect, onTestFinished } from "vitest";
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
  const steps = new StepLines();
  let dispatchId = "";
  for await (const line of createInterface({ input: socket })) {
    const { envelope: text, received, stored } = JSON.parse(line) as Sent;
    if (stored !== undefined) steps.read(stored);
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
      report: (step) => {
        say({ case: "step", value: step });
        return steps.outcomeOf(step);
      },
      given: () => steps.given(envelope.steps?.count ?? 0),
      babble: () => {
        send({ print: "\u0000\u0007 no message \ufffd" });
        send({ end: "done" });
      },
      decline: () => say({ case: "result", value: resultFor(envelope, { status: declined }) }),
      die: () => send({ end: "killed" }),
    }).finally(() => send({ end: "done" }));
  }
}

/** What the command sends to the test: its envelope, that it was stopped, or a line of its file of steps. */
interface Sent {
  readonly envelope?: string;
  readonly received?: string;
  readonly stored?: string;
}

/** The lines of the file of steps, as far as they are read. */
class StepLines {
  readonly #lines: {
    readonly step?: JsonValue;
    readonly refused?: { readonly error: { readonly code: string } };
  }[] = [];
  #taken = 0;
  #wake: () => void = () => {};

  read(line: string): void {
    this.#lines.push(JSON.parse(line));
    this.#wake();
  }

  async given(count: number): Promise<readonly Step[]> {
    const steps: Step[] = [];
    while (steps.length < count) steps.push(fromJson(StepSchema, (await this.#next()).step ?? {}));
    return steps;
  }

  /** One step is reported after another. */
  async outcomeOf({ name }: Step): Promise<string | undefined> {
    const { step, refused } = await this.#next();
    if (step !== undefined) expect(step).toMatchObject({ name });
    return refused?.error.code;
  }

  async #next() {
    for (;;) {
      const line = this.#lines[this.#taken];
      if (line) {
        this.#taken++;
        return line;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function cutOff(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ECONNRESET")) throw error;
}

/** Readers of lines take these for the end of one, too. */
function lineOf(message: object): string {
  return JSON.stringify(message).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
