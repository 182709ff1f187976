import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Ack,
  hasOutcome,
  isNack,
  type Nack,
  type NumberedResult,
  type Result,
  type Task,
  type TaskEndpoint,
} from "@baton/protocols/sap";
import { AgentError } from "../agent-error.ts";

export interface HttpTasksOptions {
  /** Where the hub listens for HTTP, such as http://127.0.0.1:7434. */
  readonly address: string;
  /** The key; none for a hub without keys. */
  readonly apiKey?: string | undefined;
}

/** The delay before a reconnect; it doubles up to the longest. */
const firstDelayMs = 200;
const longestDelayMs = 10_000;

/** Governed tasks of a hub over HTTP. A stream of Results that breaks continues where it was. */
export function httpTasks({ address, apiKey }: HttpTasksOptions): TaskEndpoint<AbortSignal> {
  const root = `${address.replace(/\/+$/, "")}/sap/v2/tasks`;
  const authorization: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};

  const ask = (path: string, { headers, ...init }: Asked = {}): Promise<Response> =>
    fetch(`${root}${path}`, { ...init, headers: { ...authorization, ...headers } }).catch(
      (cause: unknown) => {
        throw unreachable(address, cause);
      },
    );
  const read = async <Answer>(path: string, init?: Asked): Promise<Answer | Nack> =>
    parse<Answer | Nack>(address, await (await ask(path, init)).text());
  const submit = async (task: Task): Promise<Ack | Nack> => {
    const answer = await ask("", post(task));
    const text = await answer.text();
    if (answer.status !== 202 || text !== "") return parse(address, text);
    // The task expects no Ack: what it would say is in the Result.
    const result = await read<Result>(`/${task.taskId}`);
    return isNack(result) ? result : ackOf(result);
  };

  return {
    submit,
    result: (taskId) => read(`/${taskId}`),
    cancel: (taskId, reason) => read(`/${taskId}/cancel`, post({ reason })),
    transcript: (taskId) => read(`/${taskId}/transcript`),
    async *follow(taskId, after, signal) {
      let last = after;
      for (let delayMs = firstDelayMs; !signal.aborted; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
        try {
          const headers: Record<string, string> = last > 0 ? { "last-event-id": String(last) } : {};
          const answer = await ask(`/${taskId}/events`, { headers, signal });
          if (!answer.ok) throw refused(parse<Nack>(address, await answer.text()));
          for await (const one of eventsOf(answer)) {
            delayMs = firstDelayMs;
            last = one.number;
            yield one;
          }
          // A stream that ends without an error is complete.
          return;
        } catch (error) {
          if (signal.aborted) return;
          if (error instanceof AgentError && error.code === "BATON-SDK-024" && error.at === "task")
            throw error;
          await pause(delayMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },
  };
}

interface Asked extends Omit<RequestInit, "headers"> {
  readonly headers?: Readonly<Record<string, string>>;
}

function post(body: unknown): Asked {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** The events of one connection. Throws when it breaks, or when the hub ends it with an error. */
async function* eventsOf(answer: Response): AsyncGenerator<NumberedResult> {
  let rest = "";
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, id, event, data] = /^(?:id: (\d+)\n)?event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
      if (event === "error") throw new Error("the hub ended the stream");
      if (event === "result" && data !== undefined) yield { number: Number(id), result: JSON.parse(data) };
    }
  }
}

function ackOf(result: Result): Ack {
  const { protocolVersion, taskId, correlationId, reportedAt, status, meta } = result;
  return {
    ...{ protocolVersion, kind: "ack", messageId: randomUUID(), taskId, correlationId, status },
    ...{ acknowledgedAt: reportedAt, existing: hasOutcome(result), expected: false },
    pipelineId: String(meta?.pipelineId),
  };
}

function parse<Answer>(address: string, text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch (cause) {
    throw unreachable(address, cause);
  }
}

function unreachable(address: string, cause: unknown): AgentError {
  return new AgentError("BATON-SDK-024", "the hub does not answer", { at: address, cause });
}

/** There is nothing to wait for, such as a task that does not exist. */
function refused({ error }: Nack): AgentError {
  return new AgentError("BATON-SDK-024", error.message, { at: "task", fix: String(error.details?.fix) });
}
