import { realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { reasonOf } from "../files/problem.ts";
import { parseYaml, readText, type TextReading } from "../files/yaml-file.ts";

/** The file of a pack's system prompt, as it was read. */
export interface PromptFile {
  readonly path: string;
  readonly reading: TextReading;
}

const field = "system_prompt_file";

/** Reads the system prompt that a pack's file names; undefined when it names none. */
export function readPrompt(packPath: string, text: string): PromptFile | undefined {
  if (!text.includes(field)) return undefined;
  const yaml = parseYaml(packPath, text);
  const name = yaml.ok ? nameIn(yaml.file.value) : undefined;
  if (name === undefined || name === "") return undefined;
  const folder = dirname(packPath);
  const path = join(folder, name);
  return { path, reading: isOutside(folder, path) ? outside(path) : readText(path) };
}

function nameIn(value: unknown): string | undefined {
  const pack = member(member(value, "profession_pack"), "model");
  const name = member(pack, field);
  return typeof name === "string" ? name : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** A link may lead out of the folder, to a file that must not be sent to a provider. */
function isOutside(folder: string, path: string): boolean {
  try {
    return !realpathSync(path).startsWith(`${realpathSync(folder)}${sep}`);
  } catch (error) {
    return reasonOf(error) !== "ENOENT" || !path.startsWith(`${folder}${sep}`);
  }
}

function outside(path: string): TextReading {
  const message = "the file of the system prompt is not in the folder of its pack";
  const fix = "move it there; a link must not lead out of the folder";
  return { ok: false, problem: { code: "BATON-CONFIG-002", at: path, message, fix } };
}
