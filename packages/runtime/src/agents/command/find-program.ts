import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { presets } from "./presets/index.ts";
import type { CommandPack } from "./settings.ts";

type Named = Pick<CommandPack, "command" | "folder">;

/** The program that a pack names, by its preset or by the first of its arguments. */
export function programOf({ command: { preset, run }, folder }: Named): string {
  const program = (preset === undefined ? run?.[0] : presets[preset].program) ?? "";
  return program.replaceAll("{pack}", folder ?? "");
}

/** Searches as the system would. A relative path is taken as present: its folder differs for every attempt. */
export function hasProgram(pack: Named): boolean {
  const program = programOf(pack);
  if (program === "") return false;
  if (program.includes("/")) return !program.startsWith("/") || isExecutable(program);
  const path = pack.command.env.PATH ?? process.env.PATH ?? "";
  return path.split(delimiter).some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
