import type { TaskEnvelope } from "@baton/contract";
import { answerInstructions, describeTask } from "@baton/protocols/answer";

/** A task as a prompt for a program, with how to answer. */
export function writePrompt(envelope: TaskEnvelope): string {
  return `${describeTask(envelope)}\n\n${answerInstructions}\n`;
}
