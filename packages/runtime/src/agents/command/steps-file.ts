import { appendFile, writeFile } from "node:fs/promises";
import { encodeJson, type Step, StepSchema } from "@baton/contract";
import type { HubError } from "../../ports/hub-error.ts";

/**
 * The steps of an attempt as lines of JSON, for a command that has no connection: those of earlier attempts when it starts,
 * and each of its own when that is durable, so that it can wait for the line. A refused one has a line that says why.
 */
export class StepsFile {
  readonly path: string;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** Writes the steps that the attempt continues from. */
  async begin(given: AsyncIterable<Step>): Promise<void> {
    await writeFile(this.path, "", { mode: 0o600 });
    for await (const step of given) await appendFile(this.path, stored(step));
  }

  settle(step: Step, refused: HubError | undefined, plain: (text: string) => string): void {
    const line = refused ? refusal(step, refused, plain) : stored(step);
    // The folder may be gone with the command.
    this.#writing = this.#writing.then(() => appendFile(this.path, line)).catch(() => {});
  }

  /** Resolves when nothing is being written. */
  async close(): Promise<void> {
    await this.#writing;
  }
}

function stored(step: Step): string {
  return `{"step":${encodeJson(StepSchema, step)}}\n`;
}

function refusal(
  { name, argumentsDigest, occurrence }: Step,
  { code, message, fix }: HubError,
  plain: (text: string) => string,
): string {
  const error = { code, message: plain(message), fix };
  return `${JSON.stringify({ refused: { name, argumentsDigest, occurrence, error } })}\n`;
}
