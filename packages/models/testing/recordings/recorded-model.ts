import { AgentError } from "@baton/agent";
import { createRedactor, type Redactor } from "@baton/kernel";
import type { ModelCall, ModelCalls } from "../../src/calls/replaced-calls.ts";
import type { ModelReply } from "../../src/calls/reply.ts";
import { ModelFailure } from "../../src/failure.ts";
import { firstDifference, likeness } from "./first-difference.ts";
import { type Recording, readRecordings, writeRecordings } from "./recordings-file.ts";
import { digestOf, type RequestForm, requestForm } from "./request-form.ts";

/**
 * `replay` never calls a provider. `missing` calls it for what is not recorded. `all` records everything again, and drops what
 * is not called any more.
 */
export type RecordMode = "replay" | "missing" | "all";

export interface RecordedOptions {
  /** Default: the variable BATON_RECORD, else `replay`. */
  readonly record?: RecordMode;
  /** Replaces what differs from run to run in texts of a request, such as a temporary folder. */
  readonly normalize?: (text: string) => string;
  /** Values to mask besides keys of providers and what the hub's detectors find. */
  readonly secrets?: readonly string[];
}

export interface RecordedModel extends ModelCalls {
  readonly mode: RecordMode;
  /** Calls without a recording, as the attempts report them. */
  readonly misses: readonly string[];
  /** Paths of recordings that no call has used yet, such as `recordings[2]`. */
  unused(): readonly string[];
}

const modes: readonly string[] = ["replay", "missing", "all"] satisfies readonly RecordMode[];

/**
 * Replays calls that were recorded in a file, for the option `calls` of `startModelAgent` and `withModel`. Throws `AgentError`
 * for a file or option that cannot be used.
 */
export function recordedModel(file: string, options: RecordedOptions = {}): RecordedModel {
  const mode = modeOf(options.record ?? (process.env.BATON_RECORD || "replay"));
  const recordings = mode === "all" ? [] : readRecordings(file);
  const byDigest = new Map(recordings.map((recording) => [recording.digest, recording]));
  const used = new Set<Recording>();
  const misses: string[] = [];
  const { normalize = (text) => text, secrets = [] } = options;

  async function record(call: ModelCall, request: RequestForm, redactor: Redactor): Promise<Recording> {
    const recording = await ask(call, request, redactor);
    recordings.push(recording);
    byDigest.set(recording.digest, recording);
    writeRecordings(file, recordings);
    return recording;
  }

  return {
    mode,
    misses,
    unused: () => recordings.flatMap((one, index) => (used.has(one) ? [] : [`recordings[${index}]`])),
    async call(call) {
      const redactor = redactorFor([...call.keys, ...secrets]);
      const request = requestForm(call, { redactor, normalize });
      const found = byDigest.get(digestOf(request));
      if (found === undefined && mode === "replay") {
        const miss = describeMiss(file, recordings, request);
        misses.push(miss);
        throw new ModelFailure("MODEL_NOT_SCRIPTED", miss);
      }
      const recording = found ?? (await record(call, request, redactor));
      used.add(recording);
      const { reply, failure } = recording;
      if (failure) throw new ModelFailure(failure.kind, failure.message);
      if (reply === undefined) throw new Error("a recording has neither reply nor failure");
      // A provider that was just called has published its pieces itself.
      if (found) for (const piece of [reply.reasoning, reply.text]) call.onPiece(piece);
      return structuredClone(reply);
    },
  };
}

/** Failures that say something of the request. Others pass, and are not recorded. */
const lasting: ReadonlySet<string> = new Set([
  "MODEL_REFUSED",
  "MODEL_CONTEXT_OVERFLOW",
  "MODEL_REQUEST_INVALID",
]);

async function ask(call: ModelCall, request: RequestForm, redactor: Redactor): Promise<Recording> {
  const digest = digestOf(request);
  try {
    const reply = redactor.redactValue(await call.callProvider(), "reply").value;
    return { digest, request, reply: reply as unknown as ModelReply };
  } catch (error) {
    if (!(error instanceof ModelFailure) || !lasting.has(error.kind)) throw error;
    return {
      digest,
      request,
      failure: { kind: error.kind, message: redactor.redactText(error.message).text },
    };
  }
}

function describeMiss(file: string, recordings: readonly Recording[], request: RequestForm): string {
  const scores = recordings.map((recording) => likeness(recording.request, request));
  const nearest = scores.indexOf(Math.max(...scores));
  const difference = nearest === -1 ? undefined : firstDifference(recordings[nearest]?.request, request);
  const near = difference
    ? `the nearest is recordings[${nearest}], and its first difference is ${difference.path}: recorded ${difference.recorded}, requested ${difference.requested}`
    : "it has no recordings";
  return `no recording in ${file} for this call of "${String(request.model)}"; ${near}; to record it with a real call, run the test with BATON_RECORD=missing`;
}

function redactorFor(knownSecrets: readonly string[]): Redactor {
  const usable = knownSecrets.filter((value) => createRedactor({ knownSecrets: [value] }).ok);
  const made = createRedactor({ knownSecrets: usable });
  if (!made.ok) throw new AgentError("BATON-SDK-001", "the secrets cannot be masked", { at: "secrets" });
  return made.redactor;
}

function modeOf(text: string): RecordMode {
  if (modes.includes(text)) return text as RecordMode;
  throw new AgentError("BATON-SDK-001", `"${text}" is no mode of recording`, {
    ...{ at: "BATON_RECORD", fix: `use one of: ${modes.join(", ")}` },
  });
}
