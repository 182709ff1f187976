import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import type { Preset } from "./preset.ts";

const presets: readonly Preset[] = [claudeCode, codex, gemini];

export const presetNames: readonly string[] = presets.map(({ name }) => name);

export function findPreset(name: string): Preset | undefined {
  return presets.find((preset) => preset.name === name);
}
