/**
 * A command as an agent (A §3.4, the dev adapter): started for every attempt, its output read as it prints, its answer read
 * when it has ended.
 *
 * C1. The answer counts when no process of the command runs any more: the checked files do not change after that.
 * C2. Output without an answer is an invalid result with exit code 0, and else the loss of the attempt.
 * C3. A cancelled command may still answer; that is on record and changes nothing.
 */
import { randomUUID } from "node:crypto";
import {
  type AgentResult,
  type CancelAgentRequest,
  CancelOutcome,
  CancelReason,
  type RunAgentResponse,
  RunAgentResponseSchema,
  type TaskEnvelope,
} from "@baton/contract";
import { type AttemptNote, commandLimits } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import type { HubError } from "../../ports/hub-error.ts";
import { type AgentCalls, NotDelivered, type RunMessage } from "../push/agent-calls.ts";
import { readLines } from "../push/read-lines.ts";
import { Channel } from "./channel.ts";
import { Attempt, type CommandParts } from "./command-attempt.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { type LostAttempt, whyNotReady } from "./probe/why-not-ready.ts";
import { type ProcessEnd, type Supervised, startSupervised } from "./supervisor/start-supervised.ts";

interface Running {
  readonly process: Supervised;
  stoppedBy: CancelReason | "pack-timeout" | "closed" | undefined;
}

export class CommandCalls implements AgentCalls {
  readonly #parts: CommandParts;
  readonly #running = new Map<string, Running>();

  constructor(parts: CommandParts) {
    this.#parts = parts;
  }

  async run(envelope: TaskEnvelope, signal: AbortSignal): Promise<AsyncIterable<RunMessage>> {
    const { manifest, command, packFolder, settings } = this.#parts;
    const { limits } = settings;
    const startedMs = this.#parts.nowMs();
    const prepared = await this.#prepare({
      envelope,
      command,
      packId: manifest.packId,
      packFolder,
      settings,
      steps: this.#parts.givenSteps(envelope),
    });
    const dispatchId = envelope.execution?.dispatchId ?? "";
    try {
      const mark = randomUUID();
      const isEnclosed = prepared.sandbox !== "off";
      const process = await startSupervised({ ...prepared, graceMs: limits.stopMs, mark, isEnclosed });
      const running: Running = { process, stoppedBy: undefined };
      this.#running.set(dispatchId, running);
      signal.addEventListener("abort", () => process.stop(), { once: true });
      if (signal.aborted) process.stop();
      return this.#read(new Attempt(this.#parts, envelope, startedMs), running, prepared, dispatchId);
    } catch (error) {
      await prepared.clear();
      const reason = error instanceof Error ? error.message : String(error);
      this.#note({ startedMs, failedTools: [] }, "not-started", reason);
      const unready = this.#whyNotReady({ exitCode: 127, output: reason });
      if (unready !== undefined)
        return inTurn(this.#giveUp(new Attempt(this.#parts, envelope, startedMs), unready));
      throw new NotDelivered(`the command cannot be started: ${reason}`, { cause: error });
    }
  }

  #whyNotReady(lost: LostAttempt): string | undefined {
    const { command, packFolder: folder } = this.#parts;
    return whyNotReady({ command, folder }, lost);
  }

  /** Another attempt would fail in the same way: answers with a failure that is not retried and names the fix. */
  *#giveUp(attempt: Attempt, why: string): Generator<RunMessage> {
    this.#parts.onUnready(why);
    yield { kind: "message", bytes: 0, message: resultMessage(attempt.failure(why)) };
  }

  /** An error before the start counts against its health, as a missing program does. */
  async #prepare(wanted: Parameters<typeof prepare>[0]): Promise<Prepared> {
    const startedMs = this.#parts.nowMs();
    try {
      return await prepare(wanted);
    } catch (error) {
      if (error instanceof NotDelivered) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      this.#note({ startedMs, failedTools: [] }, "not-started", reason);
      throw new NotDelivered(`the command cannot be started: ${reason}`, { cause: error });
    }
  }

  async cancel({ dispatchId, reason }: CancelAgentRequest): Promise<CancelOutcome> {
    const running = this.#running.get(dispatchId);
    if (!running) return CancelOutcome.UNKNOWN;
    running.stoppedBy ??= reason;
    running.process.stop();
    return CancelOutcome.STOPPED;
  }

  close(): void {
    for (const running of this.#running.values()) {
      running.stoppedBy ??= "closed";
      running.process.stop();
    }
  }

  async *#read(
    attempt: Attempt,
    running: Running,
    prepared: Prepared,
    dispatchId: string,
  ): AsyncGenerator<RunMessage> {
    const { limits } = this.#parts.settings;
    const { process } = running;
    const timer = this.#limitTime(running);
    const held: RunAgentResponse[] = [];
    let lingering: NodeJS.Timeout | undefined;
    try {
      for (const message of attempt.begin(prepared.notices)) yield { kind: "message", bytes: 0, message };
      for await (const { from, line } of linesOf(process, limits.lineBytes)) {
        for (const report of attempt.read(from, line)) {
          if (report.message.case === "result") held.push(report);
          else yield this.#reported(report, prepared);
        }
        yield { kind: "nothing", bytes: line.length + 1 };
        if (held.length > 0 || attempt.isDone)
          lingering ??= setTimeout(() => process.stop(), limits.lingerMs);
      }
      const end = await process.ended;
      const strayed = await prepared.strayed();
      if (strayed.length > 0) {
        const reason = `it changed what is outside of its workspace: ${strayed.join(", ")}`;
        this.#note(attempt, "exit", reason);
        throw new Error(reason);
      }
      for (const message of attempt.end()) yield { kind: "message", bytes: 0, message };
      for (const report of this.#answer(attempt, held, end, running))
        yield withNotices(report, prepared.notices);
    } finally {
      clearTimeout(timer);
      clearTimeout(lingering);
      process.stop();
      await process.ended;
      this.#running.delete(dispatchId);
      await prepared.clear();
    }
  }

  /** What is stored of a step is written to the file that the command reads. */
  #reported(report: RunAgentResponse, { steps }: Prepared): RunMessage {
    const { message } = report;
    if (message.case !== "step") return { kind: "message", bytes: 0, message: report };
    const plain = (text: string) => this.#parts.redactor.redactText(text).text;
    const settled = (refused?: HubError) => steps.settle(message.value, refused, plain);
    return { kind: "message", bytes: 0, message: report, settled };
  }

  *#answer(
    attempt: Attempt,
    held: readonly RunAgentResponse[],
    end: ProcessEnd,
    { stoppedBy }: Running,
  ): Generator<RunMessage> {
    const isGood = end.kind === "ended" && end.code === 0;
    const wasEnded = stoppedBy !== undefined && stoppedBy !== "pack-timeout";
    const isTimeout = stoppedBy === CancelReason.TIMEOUT || stoppedBy === "pack-timeout";
    const note = (failure: AttemptNote["failure"], reason?: string) => {
      if (wasEnded && !isTimeout) return; // A cancel says nothing about its health.
      this.#note(attempt, isTimeout ? "timeout" : failure, reason);
    };
    const whyLost = () => attempt.whyLost(end, stoppedBy === "pack-timeout");
    if (held.length > 0) {
      note(isGood ? undefined : "exit", isGood ? undefined : whyLost());
      for (const message of held) yield { kind: "message", bytes: 0, message };
      return;
    }
    const reading = attempt.answer();
    if (reading.ok) {
      note(isGood ? undefined : "exit", isGood ? undefined : whyLost());
      yield { kind: "message", bytes: 0, message: resultMessage(reading.result) };
      return;
    }
    const exitCode = end.kind === "ended" ? (end.code ?? undefined) : undefined;
    const unready =
      stoppedBy === undefined
        ? this.#whyNotReady({ exitCode, output: attempt.ownReason(isGood) })
        : undefined;
    if (unready !== undefined) {
      note("exit", unready);
      return yield* this.#giveUp(attempt, unready);
    }
    if (isGood && !wasEnded && stoppedBy === undefined) {
      note("no-answer", reading.reason);
      yield { kind: "unreadable", bytes: 0, isResult: true, reason: reading.reason, raw: attempt.raw() };
      return;
    }
    note("exit", whyLost());
    if (wasEnded) return;
    throw new Error(whyLost());
  }

  /** The timeout of the pack; the engine enforces that of the task with a cancel. */
  #limitTime(running: Running): NodeJS.Timeout {
    const { timeoutMs = commandLimits.timeoutMs } = this.#parts.command;
    return setTimeout(() => {
      running.stoppedBy ??= "pack-timeout";
      running.process.stop();
    }, timeoutMs);
  }

  #note(
    { startedMs, failedTools }: Pick<Attempt, "startedMs" | "failedTools">,
    failure: AttemptNote["failure"],
    reason?: string,
  ): void {
    const endedMs = this.#parts.nowMs();
    const durationMs = Math.max(0, endedMs - startedMs);
    this.#parts.onAttempt({ endedMs, durationMs, failure, reason, failedTools });
  }
}

/** Replaces the notices of the command with those of the hub. */
function withNotices(report: RunMessage, notices: readonly string[]): RunMessage {
  if (report.kind !== "message" || report.message.message.case !== "result") return report;
  const value = { ...report.message.message.value, notices: [...notices] };
  return { ...report, message: { ...report.message, message: { case: "result", value } } };
}

async function* inTurn(report: Iterable<RunMessage>): AsyncGenerator<RunMessage> {
  yield* report;
}

interface PrintedLine {
  readonly from: "stdout" | "stderr";
  readonly line: Buffer;
}

/** Lines of both streams as they come. Reads no further than the consumer: the command waits. */
function linesOf(process: Supervised, max: number): AsyncIterable<PrintedLine> {
  const channel = new Channel<PrintedLine>(2, 64);
  const pump = async (from: PrintedLine["from"]) => {
    try {
      for await (const line of readLines(process[from], max)) {
        if (line.kind === "too-long") throw new Error(`it printed a line of more than ${max} bytes`);
        if (line.kind === "line" && !(await channel.send({ from, line: line.text }))) return;
      }
      channel.finish();
    } catch (error) {
      // A pipe that another process held open was closed: everything was read.
      const isCut = error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
      channel.finish(isCut ? undefined : { error });
    }
  };
  void pump("stdout");
  void pump("stderr");
  return channel;
}

function resultMessage(value: AgentResult): RunAgentResponse {
  return create(RunAgentResponseSchema, { message: { case: "result", value } });
}
