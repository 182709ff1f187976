/**
 * A command as an agent that is called (A §3.4, the dev adapter): started for every attempt, heard while it prints, and
 * asked for its answer when it has ended.
 *
 * C1. The answer counts when the command has ended and nothing of it runs any more: what is checked then stays as it is.
 * C2. What is no answer is an invalid result when the command says that it is content (exit code 0), and the loss of the
 *     attempt when it does not.
 * C3. A command that was told to stop may still answer; what it says is on record and changes nothing.
 */
import { randomUUID } from "node:crypto";
import {
  type AgentManifest,
  type AgentResult,
  BoundedText,
  type CancelAgentRequest,
  CancelOutcome,
  CancelReason,
  type RunAgentResponse,
  RunAgentResponseSchema,
  type TaskEnvelope,
} from "@baton/contract";
import { type AttemptNote, type CommandAgent, commandLimits, type Redactor } from "@baton/kernel";
import { readAnswer } from "@baton/protocols/answer";
import { create } from "@bufbuild/protobuf";
import { type AgentCalls, NotDelivered, type Said } from "../push/agent-calls.ts";
import { readLines } from "../push/read-lines.ts";
import { Channel } from "./channel.ts";
import { Narrator, roleOf } from "./narrator.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { presets } from "./presets/index.ts";
import { type LostAttempt, whyNotReady } from "./probe/why-not-ready.ts";
import type { CommandSettings } from "./settings.ts";
import { type ProcessEnd, type Supervised, startSupervised } from "./supervisor/start-supervised.ts";
import { plainText, type Translator } from "./translator.ts";

export interface CommandParts {
  readonly manifest: AgentManifest;
  readonly command: CommandAgent;
  readonly packFolder?: string | undefined;
  readonly instanceId: string;
  readonly settings: CommandSettings;
  readonly redactor: Redactor;
  readonly nowMs: () => number;
  /** An attempt is over that tells how the command is. */
  readonly onAttempt: (note: AttemptNote) => void;
  /** An attempt has shown that the command cannot work before somebody does something about it. */
  readonly onUnready: (why: string) => void;
}

interface Running {
  readonly process: Supervised;
  stoppedBy: CancelReason | "pack-timeout" | "closed" | undefined;
}

/** The last lines of what it complained about, to tell why it ended. */
const complaintBytes = 2_048;

export class CommandCalls implements AgentCalls {
  readonly #parts: CommandParts;
  readonly #running = new Map<string, Running>();

  constructor(parts: CommandParts) {
    this.#parts = parts;
  }

  async run(envelope: TaskEnvelope, signal: AbortSignal): Promise<AsyncIterable<Said>> {
    const { manifest, command, packFolder, settings } = this.#parts;
    const { limits } = settings;
    const startedMs = this.#parts.nowMs();
    const prepared = await this.#prepare({
      envelope,
      command,
      packId: manifest.packId,
      packFolder,
      settings,
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
      return this.#hear(new Attempt(this.#parts, envelope, startedMs), running, prepared, dispatchId);
    } catch (error) {
      await prepared.clear();
      const reason = error instanceof Error ? error.message : String(error);
      this.#note({ startedMs, failedTools: [] }, "not-started", reason);
      const unready = this.#whyNotReady({ exitCode: 127, said: reason });
      if (unready !== undefined)
        return inTurn(this.#giveUp(new Attempt(this.#parts, envelope, startedMs), unready));
      throw new NotDelivered(`the command cannot be started: ${reason}`, { cause: error });
    }
  }

  #whyNotReady(lost: LostAttempt): string | undefined {
    const { command, packFolder: folder } = this.#parts;
    return whyNotReady({ command, folder }, lost);
  }

  /** Another attempt would fail in the same way: the answer is a failure that is not retried, and names the fix. */
  *#giveUp(attempt: Attempt, why: string): Generator<Said> {
    this.#parts.onUnready(why);
    yield { kind: "message", bytes: 0, message: resultMessage(attempt.failure(why)) };
  }

  /** What keeps it from being started counts against it, as not finding its program does. */
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

  async *#hear(
    attempt: Attempt,
    running: Running,
    prepared: Prepared,
    dispatchId: string,
  ): AsyncGenerator<Said> {
    const { limits } = this.#parts.settings;
    const { process } = running;
    const timer = this.#limitTime(running);
    const held: RunAgentResponse[] = [];
    let lingering: NodeJS.Timeout | undefined;
    try {
      for (const message of attempt.begin(prepared.notices)) yield { kind: "message", bytes: 0, message };
      for await (const { from, line } of linesOf(process, limits.lineBytes)) {
        for (const said of attempt.read(from, line)) {
          if (said.message.case === "result") held.push(said);
          else yield { kind: "message", bytes: 0, message: said };
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
      for (const said of this.#answer(attempt, held, end, running)) yield withNotices(said, prepared.notices);
    } finally {
      clearTimeout(timer);
      clearTimeout(lingering);
      process.stop();
      await process.ended;
      this.#running.delete(dispatchId);
      await prepared.clear();
    }
  }

  *#answer(
    attempt: Attempt,
    held: readonly RunAgentResponse[],
    end: ProcessEnd,
    { stoppedBy }: Running,
  ): Generator<Said> {
    const isGood = end.kind === "ended" && end.code === 0;
    const wasEnded = stoppedBy !== undefined && stoppedBy !== "pack-timeout";
    const isTimeout = stoppedBy === CancelReason.TIMEOUT || stoppedBy === "pack-timeout";
    const note = (failure: AttemptNote["failure"], reason?: string) => {
      if (wasEnded && !isTimeout) return; // Whoever cancelled it learned nothing about it.
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
      stoppedBy === undefined ? this.#whyNotReady({ exitCode, said: attempt.ownReason(isGood) }) : undefined;
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

  /** The pack's own limit; the task's own is kept by the hub, which cancels. */
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

/** What the hub knows of how it was run goes with the result, in the place of what the command says there. */
function withNotices(said: Said, notices: readonly string[]): Said {
  if (said.kind !== "message" || said.message.message.case !== "result") return said;
  const value = { ...said.message.message.value, notices: [...notices] };
  return { ...said, message: { ...said.message, message: { case: "result", value } } };
}

/** What one attempt has said so far. */
class Attempt {
  readonly startedMs: number;
  readonly #parts: CommandParts;
  readonly #envelope: TaskEnvelope;
  readonly #narrator: Narrator;
  readonly #translator: Translator;
  readonly #output: BoundedText;
  readonly #complaints = new BoundedText(2 * complaintBytes);

  constructor(parts: CommandParts, envelope: TaskEnvelope, startedMs: number) {
    this.#parts = parts;
    this.#envelope = envelope;
    this.startedMs = startedMs;
    const { manifest, command, redactor, nowMs, settings } = parts;
    this.#narrator = new Narrator({
      taskId: envelope.contract?.taskId ?? "",
      sessionId: envelope.trace?.traceId ?? "",
      packId: manifest.packId,
      role: roleOf(manifest.role),
      uuid: randomUUID,
      nowMs,
      createMasker: () => redactor.createLineMasker(),
    });
    const name = command.preset ?? (command.output === "stream-json" ? "claude-code" : undefined);
    const make = name === undefined ? plainText : presets[name].translator;
    this.#translator = make(this.#narrator);
    this.#output = new BoundedText(settings.limits.answerBytes);
  }

  get isDone(): boolean {
    return this.#translator.isDone;
  }

  get failedTools(): readonly string[] {
    return this.#narrator.failedTools;
  }

  begin(notices: readonly string[]): readonly RunAgentResponse[] {
    const { preset } = this.#parts.command;
    const told = (preset !== undefined && presets[preset].leftOut?.(this.#envelope)) || [];
    const lines = [...told, ...notices.map((notice) => `baton: ${notice}`)];
    return lines.flatMap((line) => this.#narrator.print("stderr", line));
  }

  read(from: "stdout" | "stderr", line: Buffer): readonly RunAgentResponse[] {
    const text = line.toString("utf8").replace(/\r$/, "");
    (from === "stdout" ? this.#output : this.#complaints).push(Buffer.concat([line, newline]));
    return from === "stdout" ? this.#translator.read(text) : this.#narrator.print("stderr", text);
  }

  end(): readonly RunAgentResponse[] {
    return this.#narrator.end();
  }

  answer() {
    return this.#readAnswer(this.#text());
  }

  /** A failure of the agent itself, as an answer. */
  failure(reason: string): AgentResult {
    const { reasonLength } = this.#parts.settings.limits;
    const summary = this.#parts.redactor.redactText(reason).text.slice(0, reasonLength).toWellFormed();
    const reading = this.#readAnswer(
      JSON.stringify({ status: "failure", summary, failure_code: "AGENT_NOT_READY" }),
    );
    if (!reading.ok) throw new Error("a failure without details is an answer");
    return reading.result;
  }

  /** What the program gave as the reason for its failure; empty when it did not fail. */
  ownReason(isGood: boolean): string {
    return this.#translator.fault ?? (isGood ? "" : this.#lastComplaints());
  }

  #lastComplaints(): string {
    return this.#complaints.toString().trim().split("\n").slice(-3).join("\n");
  }

  #readAnswer(text: string) {
    const { manifest, instanceId, nowMs } = this.#parts;
    return readAnswer(text, {
      envelope: this.#envelope,
      packVersion: manifest.packVersion,
      instanceId,
      spanId: randomUUID().replaceAll("-", "").slice(0, 16),
      startedMs: this.startedMs,
      finishedMs: Math.max(this.startedMs, nowMs()),
      usage: this.#translator.usage,
    });
  }

  /** The end of what was said instead of an answer. */
  raw(): string {
    return this.#text().slice(-this.#parts.settings.limits.rawCharacters);
  }

  whyLost(end: ProcessEnd, isLate: boolean): string {
    const said = this.#translator.fault ?? this.#lastComplaints();
    return [howEnded(end, isLate, this.#parts.command.timeoutMs), said]
      .filter((part) => part !== "")
      .join(": ");
  }

  #text(): string {
    return this.#translator.answer ?? this.#output.toString();
  }
}

async function* inTurn(said: Iterable<Said>): AsyncGenerator<Said> {
  yield* said;
}

const newline = Buffer.from("\n");

function howEnded(end: ProcessEnd, isLate: boolean, timeoutMs = 0): string {
  if (isLate) return `it took longer than the ${timeoutMs / 1_000} s of its pack`;
  if (end.kind === "not-started") return end.reason;
  if (end.kind === "lost") return "somebody ended it";
  return end.signal === null ? `it ended with exit code ${end.code}` : `it was ended by ${end.signal}`;
}

interface PrintedLine {
  readonly from: "stdout" | "stderr";
  readonly line: Buffer;
}

/** Lines of both streams as they come. Nobody reads ahead of whoever takes them: the command waits. */
function linesOf(process: Supervised, most: number): AsyncIterable<PrintedLine> {
  const channel = new Channel<PrintedLine>(2, 64);
  const pump = async (from: PrintedLine["from"]) => {
    try {
      for await (const line of readLines(process[from], most)) {
        if (line.kind === "too-long") throw new Error(`it printed a line of more than ${most} bytes`);
        if (line.kind === "line" && !(await channel.give({ from, line: line.text }))) return;
      }
      channel.done();
    } catch (error) {
      // A pipe that something held open was let go: everything was read.
      const isCut = error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
      channel.done(isCut ? undefined : { error });
    }
  };
  void pump("stdout");
  void pump("stderr");
  return channel;
}

function resultMessage(value: AgentResult): RunAgentResponse {
  return create(RunAgentResponseSchema, { message: { case: "result", value } });
}
