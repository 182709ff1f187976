import type { Batch, Transition } from "@baton/runtime";
import { ContentFinder, readCommand, readRecords } from "@baton/runtime/parts";
import type { Command, PipelineRecord } from "../kernel.ts";

/** A transition as it would come out of the store again. */
export interface ReadTransition {
  readonly transition: Transition;
  readonly records: readonly PipelineRecord[];
  readonly commands: readonly Command[];
}

/** Reads from the texts and bytes of a batch alone what was stored. */
export function readTransitions({ transitions }: Batch): readonly ReadTransition[] {
  return transitions.map((transition) => {
    const { records, commands, contents } = transition;
    const finder = new ContentFinder(new Map(contents.map(({ digest, bytes }) => [digest, bytes])));
    return {
      transition,
      records: readRecords(records.text, finder),
      commands: commands.map(({ text }) => readCommand(text, finder)),
    };
  });
}
