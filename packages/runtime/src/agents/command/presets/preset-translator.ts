import type { RunAgentResponse } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Narrator } from "../narrator.ts";
import type { Translator, Usage } from "../translator.ts";
import { readJsonLine } from "./json-line.ts";

export const longestObservation = 65_536;

/** What the presets have in common: a JSON object per line, and the turn in progress. */
export abstract class PresetTranslator implements Translator {
  protected readonly narrator: Narrator;
  protected thought = "";
  protected actions: string[] = [];
  protected observation = "";
  answer: string | undefined = "";
  usage: Usage | undefined;
  fault: string | undefined;
  isDone = false;

  constructor(narrator: Narrator) {
    this.narrator = narrator;
  }

  read(line: string): readonly RunAgentResponse[] {
    const entry = readJsonLine(line);
    return entry ? this.readObject(entry) : this.narrator.print("stdout", line);
  }

  protected abstract readObject(entry: JsonObject): readonly RunAgentResponse[];

  /** A complete text ends with a newline: its last word is published at once. */
  protected think(text: string): readonly RunAgentResponse[] {
    if (text === "") return [];
    this.thought += `${this.thought === "" ? "" : "\n"}${text}`;
    return this.narrator.think(`${text}\n`);
  }

  protected endTurn(): readonly RunAgentResponse[] {
    const [thought, action, observation] = [this.thought, this.actions.join(", "), this.observation];
    [this.thought, this.actions, this.observation] = ["", [], ""];
    if (thought === "" && action === "") return [];
    return this.narrator.turn({ thought, action, observation: this.shorten(observation) });
  }

  /** The end of an output says how it ended. */
  protected shorten(observation: string): string {
    return observation.slice(-longestObservation);
  }
}
