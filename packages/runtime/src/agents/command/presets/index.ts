import type { CommandPreset } from "@baton/kernel";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import type { Preset } from "./preset.ts";

export const presets: Readonly<Record<CommandPreset, Preset>> = { "claude-code": claudeCode, codex, gemini };
