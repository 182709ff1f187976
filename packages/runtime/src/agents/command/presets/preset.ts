import type { TaskEnvelope } from "@baton/contract";
import type { MakeTranslator } from "../translator.ts";

/** How a certain program wants to be called, and what it prints. The prompt comes on standard input. */
export interface Preset {
  readonly program: string;
  /** It asks before it uses a tool, is refused what the task does not allow, and stops by itself after so many steps. */
  readonly restrained: boolean;
  argumentsFor(envelope: TaskEnvelope, place: PresetPlace): readonly string[];
  /** What of the task's lists it cannot be told, in words for whoever watches. */
  leftOut?(envelope: TaskEnvelope): readonly string[];
  readonly translator: MakeTranslator;
}

export interface PresetPlace {
  readonly model: string | undefined;
  readonly workspace: string;
}
