/** What was found of a record, in one form wherever it was looked at. */
import type { AuditCheckpoint } from "@baton/contract/forms";
import type { ExportVerdict } from "@baton/kernel/audit";
import { CliError } from "../errors/cli-error.ts";
import { instant } from "../terminal/time.ts";
import { type BadRecord, badRecord } from "./bad-record.ts";

export interface Verdict extends Partial<BadRecord> {
  readonly valid: boolean;
  /** Where it was looked at. */
  readonly source: string;
  readonly scope: "record" | "pipeline" | "entry";
  readonly tenantId: string;
  readonly pipelineId?: string;
  readonly entriesChecked: number;
  readonly vouchedThrough: number;
  /** Of a data folder: how far what is noted beside the store reaches. */
  readonly knownThrough?: number;
  readonly firstBadSequence?: number;
  readonly kind?: string;
  readonly problem?: string;
  /** That it is signed with. */
  readonly keyIds: readonly string[];
  /** Whether the keys are those that were given, or those that the record itself names. */
  readonly keysAreTrusted: boolean;
  /** Whether the hub, which checked it, signed in the same moment what it had found to be right. */
  readonly signedNow?: boolean;
  /** The newest that there is. */
  readonly checkpoint?: { readonly sequence: number; readonly issuedAt: string; readonly keyId: string };
}

export function ofExport(source: string, verdict: ExportVerdict, line?: number): Verdict {
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
