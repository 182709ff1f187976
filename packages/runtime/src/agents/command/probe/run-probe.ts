import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, open, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BoundedText, TaskEnvelopeSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { hubVariables } from "../../../processes/run-command.ts";
import { encloseAgent } from "../sandbox/enclose-agent.ts";
import type { CommandPack, CommandSettings } from "../settings.ts";
import { startSupervised } from "../supervisor/start-supervised.ts";

/** `code` is undefined when the probe did not end in time. */
export interface ProbeEnd {
  readonly code: number | undefined;
  /** The end of its output, standard error last. */
  readonly printed: string;
}

export const probeLimits = {
  /** Long enough for a slow start on a busy machine. */
  timeoutMs: 20_000,
  stopMs: 1_000,
  printedBytes: 16_384,
} as const;

/**
 * Runs one command of a probe like an attempt: in the same sandbox, with the same home and variables, in an empty folder, with
 * empty standard input. Throws when it cannot be started.
 */
export async function runProbe(
  { manifest, command, folder: packFolder }: CommandPack,
  [file = "", ...args]: readonly string[],
  settings: CommandSettings,
  signal: AbortSignal,
): Promise<ProbeEnd> {
  const folder = await mkdtemp(join(await realpath(settings.scratch ?? tmpdir()), "baton-probe-"));
  try {
    const directory = join(folder, "work");
    await mkdir(directory);
    const variables = { ...hubVariables(command.passEnv), ...command.env };
    const started = await encloseAgent(
      {
        ...{ packId: manifest.packId, envelope: create(TaskEnvelopeSchema), command, packFolder },
        ...{ file, args, directory, folder, files: [], variables },
      },
      settings,
    );
    return await runToEnd({ ...started, directory }, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Started = Awaited<ReturnType<typeof encloseAgent>> & { readonly directory: string };

async function runToEnd(started: Started, closing: AbortSignal): Promise<ProbeEnd> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(probeLimits.timeoutMs)]);
  const input = await open("/dev/null", "r");
  try {
    const process = await startSupervised({
      ...started,
      ...{ input: input.fd, graceMs: probeLimits.stopMs, mark: randomUUID() },
      isEnclosed: started.sandbox !== "off",
    });
    const printed = [process.stdout, process.stderr].map(async (stream) => {
      const text = new BoundedText(probeLimits.printedBytes);
      for await (const chunk of stream) text.push(chunk as Buffer);
      return text.toString();
    });
    const stop = () => process.stop();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const end = await process.ended;
    const code = end.kind === "ended" && !signal.aborted ? (end.code ?? undefined) : undefined;
    return { code, printed: (await Promise.all(printed)).join("\n").trim() };
  } finally {
    await input.close();
  }
}
