/** Reads untrusted lines of an export. Only the exact form is accepted. */
import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract/messages";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import {
  checkpointLine,
  type ExportHeader,
  type ExportScope,
  type ExportTrailer,
  entryLine,
  exportFormat,
  exportVersion,
  headerLine,
  trailerKey,
  trailerLine,
} from "./format.ts";

/** Undefined when it is not an export of this version. */
export function readHeader(line: string): ExportHeader | undefined {
  const value = parse(line);
  if (value?.format !== exportFormat || value.version !== exportVersion) return undefined;
  const { scope, tenantId, pipelineId, entries, sequences, keys, since } = value;
  if (!isScope(scope) || typeof tenantId !== "string" || tenantId === "") return undefined;
  if (!isCount(entries) || !(pipelineId === undefined || typeof pipelineId === "string")) return undefined;
  if ((pipelineId !== undefined) !== (scope === "pipeline")) return undefined;
  if ((sequences === undefined) !== (scope === "record")) return undefined;
  if (sequences !== undefined && !(Array.isArray(sequences) && sequences.every(isCount))) return undefined;
  if (sequences !== undefined && sequences.length !== entries) return undefined;
  if (!Array.isArray(keys) || !keys.every(isKey) || !(since === undefined || isSince(since)))
    return undefined;
  const header: ExportHeader = {
    ...{ scope, tenantId, entries, keys },
    ...(pipelineId !== undefined && { pipelineId }),
    ...(sequences !== undefined && { sequences }),
    ...(since !== undefined && { since }),
  };
  return headerLine(header) === line ? header : undefined;
}

export function readCheckpoint(line: string): AuditCheckpoint | undefined {
  try {
    const value = parse(line)?.checkpoint as JsonValue;
    const checkpoint = fromJson(AuditCheckpointSchema, value);
    return checkpointLine(checkpoint) === line ? checkpoint : undefined;
  } catch {
    return undefined;
  }
}

interface ProvenLine {
  readonly entry: string;
  readonly proof: readonly string[];
}

export function readProven(line: string): ProvenLine | undefined {
  const value = parse(line);
  if (typeof value?.entry !== "string" || !isTexts(value.proof)) return undefined;
  const { entry, proof } = value;
  return entryLine(entry, proof) === line ? { entry, proof } : undefined;
}

export function readTrailer(line: string): ExportTrailer | undefined {
  const trailer = parse(line)?.[trailerKey];
  if (typeof trailer !== "object" || trailer === null) return undefined;
  const { digest, keyId, signature }: Readonly<Record<string, unknown>> = { ...trailer };
  if (typeof digest !== "string" || typeof keyId !== "string" || typeof signature !== "string") {
    return undefined;
  }
  return trailerLine({ digest, keyId, signature }) === line ? { digest, keyId, signature } : undefined;
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isScope(value: unknown): value is ExportScope {
  return value === "record" || value === "pipeline" || value === "entry";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isKey(value: unknown): value is ExportHeader["keys"][number] {
  if (typeof value !== "object" || value === null) return false;
  const { keyId, publicKey }: Readonly<Record<string, unknown>> = { ...value };
  return typeof keyId === "string" && typeof publicKey === "string";
}

function isSince(value: unknown): value is NonNullable<ExportHeader["since"]> {
  if (typeof value !== "object" || value === null) return false;
  const { sequence, hashes }: Readonly<Record<string, unknown>> = { ...value };
  return isCount(sequence) && isTexts(hashes);
}
