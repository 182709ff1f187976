/** The result of a verification, of a file, a data folder or a hub. */
import type { AuditCheckpoint } from "@baton/contract/forms";
import type { ExportVerdict } from "@baton/kernel/audit";
import type { CliErrorCode } from "../errors/cli-error.ts";
import { CliError } from "../errors/cli-error.ts";
import { instant } from "../terminal/format.ts";

export interface Verdict extends Partial<BadRecord> {
  readonly valid: boolean;
  /** The file, folder or hub. */
  readonly source: string;
  readonly scope: "record" | "pipeline" | "entry";
  readonly tenantId: string;
  readonly pipelineId?: string;
  readonly entriesChecked: number;
  readonly vouchedThrough: number;
  /** Of a data folder: the last entry that the head file vouches for. */
  readonly knownThrough?: number;
  readonly firstBadSequence?: number;
  readonly kind?: string;
  readonly problem?: string;
  /** The keys that it is signed with. */
  readonly keyIds: readonly string[];
  /** Whether the keys were given by the caller, not only named by the record. */
  readonly keysAreTrusted: boolean;
  /** Whether the hub signed the checked record in the same call. */
  readonly signedNow?: boolean;
  /** The newest checkpoint. */
  readonly checkpoint?: { readonly sequence: number; readonly issuedAt: string; readonly keyId: string };
}

export function exportVerdict(source: string, verdict: ExportVerdict, line?: number): Verdict {
  const { header, fault, checkpoint } = verdict;
  const at = line === undefined ? source : `${source}:${line}`;
  return {
    ...{ valid: verdict.valid, source, scope: header.scope, tenantId: header.tenantId },
    ...(header.pipelineId !== undefined && { pipelineId: header.pipelineId }),
    entriesChecked: Number(verdict.entriesChecked),
    vouchedThrough: Number(verdict.vouchedThrough),
    ...(fault && { firstBadSequence: Number(fault.sequence), kind: fault.kind, problem: fault.problem }),
    ...(fault && badRecord(at, fault.kind, true)),
    keyIds: header.keys.map(({ keyId }) => keyId),
    keysAreTrusted: verdict.keysAreTrusted,
    ...(checkpoint && { checkpoint: brief(checkpoint) }),
  };
}

export function notAnExport(path: string): CliError {
  return new CliError("BATON-CLI-011", "the first line is not that of an audit export", {
    at: `${path}:1`,
    fix: "name a file that baton audit export has written; if it was one, its first line was changed",
  });
}

export function brief({ sequence, issuedAt, keyId }: AuditCheckpoint): NonNullable<Verdict["checkpoint"]> {
  return { sequence: Number(sequence), issuedAt: issuedAt ? instant(issuedAt) : "", keyId };
}

/** Code, position and fix of a bad verdict, as every error has them. */
export interface BadRecord {
  readonly code: CliErrorCode;
  /** The file and the line, the data folder, or the hub. */
  readonly at: string;
  readonly fix: string;
}

export function badRecord(at: string, kind: string | undefined, isFile: boolean): BadRecord {
  return { code: "BATON-CLI-012", at, fix: fixOf(kind, isFile) };
}

function fixOf(kind: string | undefined, isFile: boolean): string {
  if (kind === "foreign-key")
    return "give the key of the hub that wrote it, which baton audit key prints there; if that is the one you gave, somebody else has written this";
  if (kind === "unreadable") return "check it with a newer version of Baton";
  return isFile
    ? "rely on nothing from that entry on; keep the file as it is, and compare it with a new one from baton audit export"
    : "rely on nothing from that entry on; keep the data folder as it is, and compare it with the last export";
}
