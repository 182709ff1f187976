import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AtEnd, type RealHub, scratchFolder, startRealHub } from "./real-hub.ts";

/** Packs by their names: each is a program that is given the task on standard input, and takes tasks of its name. */
export type Packs = Readonly<Record<string, string>>;

/** A folder with a pack for each program; `command` adds a line to what a pack says of it, such as `sandbox: off`. */
export function projectOf(packs: Packs, atEnd?: AtEnd, command: Packs = {}): string {
  const folder = scratchFolder(atEnd);
  for (const [name, program] of Object.entries(packs)) {
    const pack = join(folder, "packs", name);
    mkdirSync(pack, { recursive: true });
    writeFileSync(join(pack, "profession-pack.yaml"), manifestOf(name, command[name] ?? ""));
    writeFileSync(join(pack, "go.mjs"), program);
  }
  return folder;
}

function manifestOf(name: string, more: string): string {
  return `profession_pack:
  pack_id: ${name}
  pack_version: "1.0.0"
  supported_task_types: [${name}]
  provided_tools: [node]
  safety_tier: RISK_TIER_CRITICAL
  command:
    run: ["node", "{pack}/go.mjs"]
    timeout: 60s
    ${more}
`;
}

/** A hub with these packs, in a process of its own. */
export function startHubWith(packs: Packs, atEnd?: AtEnd, command: Packs = {}): Promise<RealHub> {
  const folder = projectOf(packs, atEnd, command);
  return startRealHub(join(folder, "data"), ["--project", folder], atEnd);
}
