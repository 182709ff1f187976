import { createHash } from "node:crypto";
import type { AgentResult, Event, Step, TaskEnvelope, TurnEnvelope } from "@baton/contract";
import type { AgentError } from "../src/agent-error.ts";
import type { AgentDefinition } from "../src/api/definition.ts";
import type { ToolPins } from "../src/api/tools.ts";
import { checkEnvelope } from "../src/attempt-facts.ts";
import type { UploadClient } from "../src/uploads/binary.ts";
import { startAttempt } from "../src/work/attempt.ts";

export interface RunOptions {
  /** Aborting it cancels the attempt. */
  readonly cancel?: AbortSignal;
  /** Aborting it has the effect of the deadline. */
  readonly deadline?: AbortSignal;
  readonly instanceId?: string;
  /** Steps of earlier attempts after the first ones, beyond those of the envelope. */
  readonly listSteps?: (after: number) => Promise<readonly Step[]>;
  /** The tools from elsewhere that may be offered. Default: all. */
  readonly pinTools?: ToolPins["pin"];
}

export interface Run {
  /** Undefined for a cancelled attempt. */
  readonly result: AgentResult | undefined;
  readonly turns: readonly TurnEnvelope[];
  readonly events: readonly Event[];
  /** In the order in which they were stored; a step that began and ended is here twice. */
  readonly steps: readonly Step[];
  /** What `onProblem` would receive. */
  readonly problems: readonly AgentError[];
}

/** Runs an agent on an envelope without a hub, and returns everything that it would have sent. */
export async function runAgent(
  definition: AgentDefinition,
  envelope: TaskEnvelope,
  { cancel, deadline, instanceId = "test", listSteps = async () => [], pinTools }: RunOptions = {},
): Promise<Run> {
  const turns: TurnEnvelope[] = [];
  const events: Event[] = [];
  const steps: Step[] = [];
  const problems: AgentError[] = [];
  const attempt = startAttempt({
    ...checkEnvelope(envelope),
    definition,
    instanceId,
    sink: { turn: (turn) => turns.push(turn), event: (event) => events.push(event) },
    stepStore: {
      report: async (step) => void steps.push(step),
      list: listSteps,
    },
    toolPins: { pin: async (tools) => pinTools?.(tools) ?? tools.map(({ name }) => name) },
    noteTool: () => {},
    uploads: memoryUploads(),
    onProblem: (problem) => problems.push(problem),
    arrivedMs: performance.now(),
  });
  whenAborted(cancel, () => attempt.stop("cancelled"));
  whenAborted(deadline, () => attempt.stop("deadline"));
  const result = await attempt.answered;
  await attempt.settled;
  return { result, turns, events, steps, problems };
}

/** Keeps uploads in memory, for one run. */
function memoryUploads(): UploadClient {
  const stored = new Map<string, Uint8Array>();
  return {
    upload: async (content, mediaType) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      const id = createHash("sha256").update(bytes).digest("hex");
      stored.set(id, bytes);
      const place = { url: `http://hub.invalid/uploads/${id}`, expires_at: "2100-01-01T00:00:00.000Z" };
      return {
        $ref: `baton:upload/${id}`,
        digest: `sha256:${id}`,
        media_type: mediaType,
        size: bytes.length,
        ...place,
      };
    },
    download: async (id) => {
      const bytes = stored.get(id);
      if (!bytes) throw new Error(`nothing was uploaded as ${id} in this run`);
      return bytes;
    },
  };
}

function whenAborted(signal: AbortSignal | undefined, act: () => void): void {
  if (signal?.aborted) act();
  else signal?.addEventListener("abort", act, { once: true });
}
