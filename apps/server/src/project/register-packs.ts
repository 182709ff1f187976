import { dirname } from "node:path";
import { RegisterAgentRequestSchema } from "@baton/contract";
import { type CommandPack, type Hub, HubError } from "@baton/runtime";
import { create } from "@bufbuild/protobuf";
import { localTenant } from "../border/authenticate.ts";
import type { KeyEntry } from "../border/keys.ts";
import type { ConfigProblem } from "../config/problem.ts";
import { type PackFile, placed } from "./read-project.ts";

/** Whom the files of a project concern: everybody who has a key, or whoever is on this machine. */
export function tenantsOf(keys: readonly KeyEntry[]): readonly string[] {
  return keys.length === 0 ? [localTenant] : [...new Set(keys.map(({ tenant }) => tenant))];
}

/**
 * Makes the packs known to every tenant. One version of a pack is immutable: the hub keeps what it has seen, and refuses
 * the same version with other content, also after a restart (A §3.1, DIS-01). Gives what it refused.
 */
export async function registerPacks(
  hub: Pick<Hub, "registerAgent">,
  packs: readonly PackFile[],
  tenants: readonly string[],
): Promise<readonly ConfigProblem[]> {
  const problems: ConfigProblem[] = [];
  for (const { pack, place } of packs) {
    for (const tenantId of tenants) {
      const caller = { tenantId, id: "baton", kind: "system" } as const;
      const request = create(RegisterAgentRequestSchema, { manifest: pack.manifest });
      const problem = await hub.registerAgent(caller, request).then(
        () => undefined,
        (error: unknown) => refusalOf(error),
      );
      if (problem === undefined) continue;
      problems.push(placed(problem, place));
      break; // The others would say the same.
    }
  }
  return problems;
}

/** The packs whose tasks a command does, for every tenant. */
export function commandPacks(packs: readonly PackFile[], tenants: readonly string[]): readonly CommandPack[] {
  return packs.flatMap(({ pack: { manifest, command }, path }) =>
    command ? tenants.map((tenantId) => ({ tenantId, manifest, command, folder: dirname(path) })) : [],
  );
}

function refusalOf(error: unknown): ConfigProblem {
  // The hub cannot say now: that is not about the pack.
  if (!(error instanceof HubError) || error.kind === "unavailable" || error.kind === "internal") throw error;
  const [violation] = error.violations;
  const at = (violation?.field ?? "manifest").replace(/^manifest/, "profession_pack");
  return { code: error.code, at, message: error.message, fix: error.fix };
}
