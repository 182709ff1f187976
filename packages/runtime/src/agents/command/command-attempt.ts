import { randomUUID } from "node:crypto";
import {
  type AgentManifest,
  type AgentResult,
  BoundedText,
  type RunAgentResponse,
  type Step,
  type TaskEnvelope,
} from "@baton/contract";
import type { AttemptNote, CommandAgent, Redactor } from "@baton/kernel";
import { readAnswer } from "@baton/protocols/answer";
import { Narrator, roleOf } from "./narrator.ts";
import { presets } from "./presets/index.ts";
import type { CommandSettings } from "./settings.ts";
import type { ProcessEnd } from "./supervisor/start-supervised.ts";
import { plainText, type Translator } from "./translator.ts";

export interface CommandParts {
  readonly manifest: AgentManifest;
  readonly command: CommandAgent;
  readonly packFolder?: string | undefined;
  readonly instanceId: string;
  readonly settings: CommandSettings;
  readonly redactor: Redactor;
  readonly nowMs: () => number;
  /** The steps that an attempt continues from. */
  readonly givenSteps: (envelope: TaskEnvelope) => AsyncIterable<Step>;
  /** An attempt has ended; its outcome counts for the health of the command. */
  readonly onAttempt: (note: AttemptNote) => void;
  /** An attempt has shown that the command cannot work until someone fixes it. */
  readonly onUnready: (why: string) => void;
}

/** Bytes of standard error that are kept for the reason of a failure. */
const complaintBytes = 2_048;

const newline = Buffer.from("\n");

/** The output of one attempt so far. */
export class Attempt {
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
    const leftOut = (preset !== undefined && presets[preset].leftOut?.(this.#envelope)) || [];
    const lines = [...leftOut, ...notices.map((notice) => `baton: ${notice}`)];
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

  /** A failure of the agent itself, as a result. */
  failure(reason: string): AgentResult {
    const { reasonLength } = this.#parts.settings.limits;
    const summary = this.#parts.redactor.redactText(reason).text.slice(0, reasonLength).toWellFormed();
    const reading = this.#readAnswer(
      JSON.stringify({ status: "failure", summary, failure_code: "AGENT_NOT_READY" }),
    );
    if (!reading.ok) throw new Error("a failure without details is an answer");
    return reading.result;
  }

  /** The program's own reason for its failure; empty when it did not fail. */
  ownReason(isGood: boolean): string {
    return this.#translator.fault ?? (isGood ? "" : this.#lastComplaints());
  }

  #lastComplaints(): string {
    return lastComplaints(this.#complaints.toString());
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

  /** The end of the output in place of an answer. */
  raw(): string {
    return this.#text().slice(-this.#parts.settings.limits.rawCharacters);
  }

  whyLost(end: ProcessEnd, isLate: boolean): string {
    const complaint = this.#translator.fault ?? this.#lastComplaints();
    return [howEnded(end, isLate, this.#parts.command.timeoutMs), complaint]
      .filter((part) => part !== "")
      .join(": ");
  }

  #text(): string {
    return this.#translator.answer ?? this.#output.toString();
  }
}

function howEnded(end: ProcessEnd, isLate: boolean, timeoutMs = 0): string {
  if (isLate) return `it took longer than the ${timeoutMs / 1_000} s of its pack`;
  if (end.kind === "not-started") return end.reason;
  if (end.kind === "lost") return "somebody ended it";
  return end.signal === null ? `it ended with exit code ${end.code}` : `it was ended by ${end.signal}`;
}

/** Lines of a crash that give no reason: blank ones, stack frames, marks below a line, Node's version. */
const noise = /^\s*$|^\s+at |^\s*[\^~]+\s*$|^Node\.js v\d/;

/** The last three lines of standard error that give a reason. */
function lastComplaints(text: string): string {
  const lines = text.trim().split("\n");
  const informative = lines.filter((line) => !noise.test(line));
  return (informative.length > 0 ? informative : lines).slice(-3).join("\n");
}
