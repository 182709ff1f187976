/** The golden vectors as they lie in `vectors/`, for tests of any kind. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { contractRegistry } from "@baton/contract";
import type { DescMessage } from "@bufbuild/protobuf";
import type { Broken, Loss } from "./cases/case.ts";

/** What `manifest.json` says of one vector. README.md explains every field. */
export interface ManifestEntry {
  readonly name: string;
  /** Full name of the message type. */
  readonly type: string;
  readonly shows: string;
  readonly violations?: readonly Broken[];
  readonly nowMs?: number;
  readonly hasUnknownFields?: true;
  readonly isCanonical?: false;
  readonly isBinaryOnly?: true;
  readonly losses?: readonly Loss[];
}

export interface Manifest {
  readonly valid: readonly ManifestEntry[];
  readonly invalid: readonly ManifestEntry[];
}

/** A vector with its files read. */
export interface Vector extends ManifestEntry {
  readonly schema: DescMessage;
  /** Empty when there is no such form. */
  readonly json: string;
  readonly binary: Uint8Array;
}

export const vectorsFolder = join(import.meta.dirname, "vectors");

const manifest = JSON.parse(readFileSync(join(vectorsFolder, "manifest.json"), "utf8")) as Manifest;

export const validVectors: readonly Vector[] = manifest.valid.map((entry) => load("valid", entry));
export const invalidVectors: readonly Vector[] = manifest.invalid.map((entry) => load("invalid", entry));

function load(folder: keyof Manifest, entry: ManifestEntry): Vector {
  const schema = contractRegistry.getMessage(entry.type);
  if (schema === undefined)
    throw new Error(`vector "${entry.name}" is of type ${entry.type}, which nobody knows`);
  const path = join(vectorsFolder, folder, entry.name);
  return {
    ...entry,
    schema,
    json: entry.isBinaryOnly ? "" : readFileSync(`${path}.json`, "utf8"),
    binary: readFileSync(`${path}.binpb`),
  };
}

/** Bytes as tests compare them: fast, and short to read when they differ. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
