import { existsSync } from "node:fs";
import { dirname } from "node:path";
import {
  type CommandPack,
  type ConfigurableHub,
  openSqliteStore,
  refusedByStore,
  StoreUnavailable,
} from "@baton/runtime";
import { localTenant, tenantsOf as tenantsOfKeys } from "../border/authenticate.ts";
import type { KeyEntry } from "../border/keys.ts";
import type { ConfigProblem } from "../files/problem.ts";
import { version } from "../version.ts";
import { type PackFile, withPosition } from "./read-project.ts";

/** The tenants that a project is registered for: those of the keys, or the local one. */
export function tenantsOf(keys: readonly KeyEntry[]): readonly string[] {
  return keys.length === 0 ? [localTenant] : tenantsOfKeys(keys);
}

/**
 * Registers the packs for every tenant, all or none. A version of a pack is immutable: the hub refuses the same version with
 * other content, also after a restart (A §3.1, DIS-01). Returns the refusals.
 */
export async function registerPacks(
  hub: Pick<ConfigurableHub, "registerPacks">,
  packs: readonly PackFile[],
  tenants: readonly string[],
): Promise<readonly ConfigProblem[]> {
  return inFiles(packs, await hub.registerPacks(manifestsOf(packs), tenants));
}

/** Reads from a data folder what its hub would refuse; nothing when there is no hub. */
export async function refusedByData(
  data: string | undefined,
  key: string | undefined,
  packs: readonly PackFile[],
): Promise<readonly ConfigProblem[]> {
  if (data === undefined || packs.length === 0 || !existsSync(data)) return [];
  try {
    const store = await openSqliteStore({ directory: data, key, readOnly: true });
    try {
      return inFiles(packs, await refusedByStore(store, manifestsOf(packs), version));
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const { code, message, fix } = error;
    // Without its key the hub does not start; a folder without a store refuses nothing.
    return keyErrors.includes(code) ? [{ code, at: data, message, fix }] : [];
  }
}

const keyErrors: readonly string[] = ["BATON-STORE-010", "BATON-STORE-011"];

function manifestsOf(packs: readonly PackFile[]) {
  return packs.map(({ pack }) => pack.manifest);
}

type Refused = Awaited<ReturnType<typeof refusedByStore>>;

function inFiles(packs: readonly PackFile[], refused: Refused): readonly ConfigProblem[] {
  return refused.flatMap(({ place, problem: { code, at, message, fix } }) => {
    const file = packs[place];
    const field = at.replace(/^manifest(s\[\d+\])?/, "profession_pack");
    return file ? [withPosition({ code, at: field, message, fix }, file.positionOf)] : [];
  });
}

/** The packs whose agents are commands, for every tenant. */
export function commandPacks(packs: readonly PackFile[], tenants: readonly string[]): readonly CommandPack[] {
  return packs.flatMap(({ pack: { manifest, command }, path }) =>
    command ? tenants.map((tenantId) => ({ tenantId, manifest, command, folder: dirname(path) })) : [],
  );
}
