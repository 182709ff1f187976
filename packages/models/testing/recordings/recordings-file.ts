import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AgentError } from "@baton/agent";
import type { ModelReply } from "../../src/calls/reply.ts";
import type { FailureKind } from "../../src/failure.ts";
import { digestOf, type RequestForm } from "./request-form.ts";

/** One call of a model. */
export interface Recording {
  readonly digest: string;
  readonly request: RequestForm;
  /** A call has either. */
  readonly reply?: ModelReply;
  readonly failure?: { readonly kind: FailureKind; readonly message: string };
}

export const recordingLimits = { bytes: 32 * 1024 * 1024, recordings: 1_000 } as const;

const version = 1;
const note =
  "Calls of a model, recorded by @baton/models/testing and replayed by tests. Secrets are masked. To record again: BATON_RECORD=all";

/** Without the file there are no recordings. Throws `AgentError` for a file that cannot be used. */
export function readRecordings(path: string): Recording[] {
  const content = readContent(path);
  if (content === undefined) return [];
  if (!isRecord(content) || content.version !== version || !Array.isArray(content.recordings))
    throw unusable(path, `is not a file of recordings of version ${version}`);
  return content.recordings.map((one: unknown, index) => {
    if (!isRecord(one) || !isRecord(one.request) || !(isRecord(one.reply) || isRecord(one.failure)))
      throw unusable(`${path} recordings[${index}]`, "has no request, or neither reply nor failure");
    const recording = one as unknown as Recording;
    if (digestOf(recording.request) !== recording.digest)
      throw unusable(`${path} recordings[${index}]`, "has another request than the digest states");
    return recording;
  });
}

function readContent(path: string): unknown {
  try {
    if (statSync(path).size > recordingLimits.bytes)
      throw unusable(path, `is larger than ${recordingLimits.bytes} bytes`, "record into several files");
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof AgentError) throw error;
    if (isRecord(error) && error.code === "ENOENT") return undefined;
    throw unusable(path, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Replaces the file as a whole, so that an interrupted test leaves one that can be read. */
export function writeRecordings(path: string, recordings: readonly Recording[]): void {
  const text = `${JSON.stringify({ note, version, recordings }, null, 2)}\n`;
  const isTooMany = recordings.length > recordingLimits.recordings;
  if (isTooMany || Buffer.byteLength(text) > recordingLimits.bytes)
    throw unusable(
      path,
      `would have more than ${isTooMany ? `${recordingLimits.recordings} recordings` : `${recordingLimits.bytes} bytes`}`,
      "record into several files",
    );
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function unusable(at: string, problem: string, fix = "record again with BATON_RECORD=all"): AgentError {
  return new AgentError("BATON-SDK-001", `the file of recordings ${problem}`, { at, fix });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
