import type { TaskEnvelope } from "@baton/contract";
import type { MakeTranslator } from "../translator.ts";

/** How a certain program wants to be called, and what it prints. The prompt comes on standard input. */
export interface Preset {
  readonly program: string;
  argumentsFor(envelope: TaskEnvelope, place: PresetPlace): readonly string[];
  readonly translator: MakeTranslator;
}

export interface PresetPlace {
  readonly model: string | undefined;
  readonly workspace: string;
}
