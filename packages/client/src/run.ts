import {
  type AgentResult,
  type EventRecord,
  type Pipeline,
  PipelineStatus,
  type WatchEventsResponse,
} from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { ClientError } from "./client-error.ts";
import type { Link } from "./link.ts";
import type { Question, Run, RunResult, WaitOptions } from "./types.ts";

const ends: readonly PipelineStatus[] = [
  PipelineStatus.COMPLETED,
  PipelineStatus.FAILED,
  PipelineStatus.ABORTED,
];

/** A run at the hub. It keeps nothing: every call asks the hub. */
export class RunningWork<Data extends JsonObject> implements Run<Data> {
  readonly id: string;
  readonly #link: Link;

  constructor(link: Link, id: string) {
    this.#link = link;
    this.id = id;
  }

  state(): Promise<Pipeline> {
    return this.#state();
  }

  async #state(signal?: AbortSignal): Promise<Pipeline> {
    const { orchestrator } = this.#link;
    const request = { pipelineId: this.id };
    const { pipeline } = await this.#link.call((call) => orchestrator.getPipeline(request, call), signal);
    if (!pipeline) throw new ClientError("BATON-CLIENT-002", `the hub returned no run "${this.id}"`);
    return pipeline;
  }

  async result({ signal }: WaitOptions = {}): Promise<RunResult<Data>> {
    let run = await this.#state(signal);
    // Only moves of the run itself, after which its state is read.
    for await (const _ of this.#follow(`${this.#filter} AND stage_id = ""`, signal)) {
      run = await this.#state(signal);
      if (ends.includes(run.status)) break;
    }
    if (run.status === PipelineStatus.COMPLETED) return resultOf<Data>(run);
    const status = PipelineStatus[run.status]?.toLowerCase();
    throw new ClientError("BATON-CLIENT-005", `run ${this.id} ${status}: ${run.statusReason}`);
  }

  async *events({ signal }: WaitOptions = {}): AsyncGenerator<EventRecord> {
    for await (const { message } of this.#follow(this.#filter, signal)) {
      if (message.case === "record") yield message.value;
      // Everything before this moment has been received.
      if (message.case === "caughtUp" || isMoveOfRun(message)) {
        if (message.case === "caughtUp" && ends.includes((await this.#state(signal)).status)) return;
        if (isEnd(message)) return;
      }
    }
  }

  questions(): Promise<readonly Question[]> {
    return this.#link.questions(` AND ${this.#filter}`);
  }

  async cancel(reason: string): Promise<void> {
    const request = { pipelineId: this.id, reason };
    await this.#link.call((call) => this.#link.orchestrator.abortPipeline(request, call));
  }

  get #filter(): string {
    return `pipeline_id = ${JSON.stringify(this.id)}`;
  }

  /** A broken stream is resumed after the last message. */
  async *#follow(filter: string, signal?: AbortSignal): AsyncGenerator<WatchEventsResponse> {
    const { orchestrator, closed } = this.#link;
    const patience = this.#link.patience(signal);
    const until = signal ? AbortSignal.any([signal, closed]) : closed;
    let afterSequence = 0n;
    for (;;) {
      let failure: unknown;
      try {
        for await (const answer of orchestrator.watchEvents({ filter, afterSequence }, { signal: until })) {
          patience.reset();
          yield answer;
          const { message } = answer;
          afterSequence =
            message.case === "dropped"
              ? message.value.resumeAfterSequence
              : (message.value?.sequence ?? afterSequence);
        }
      } catch (error) {
        failure = error;
      }
      until.throwIfAborted();
      await patience.wait(failure);
    }
  }
}

type Message = WatchEventsResponse["message"];

function moveOf(message: Message) {
  if (message.case !== "record" || message.value.event?.payload.case !== "taskTransition") return undefined;
  return message.value.stageId === "" ? message.value.event.payload.value : undefined;
}

function isMoveOfRun(message: Message): boolean {
  return moveOf(message) !== undefined;
}

function isEnd(message: Message): boolean {
  const to = moveOf(message)?.toState ?? "";
  return ["COMPLETED", "FAILED", "ABORTED"].includes(to);
}

function resultOf<Data extends JsonObject>(run: Pipeline): RunResult<Data> {
  const stages: Record<string, AgentResult> = {};
  let data: JsonObject = {};
  for (const { stageId, result } of run.stages) {
    if (!result) continue;
    stages[stageId] = result;
    if (result.response?.data) data = result.response.data;
  }
  const { artifacts = [], usage } = run.summary ?? {};
  return { data: data as Data, files: artifacts, cost: usage, stages, run };
}
