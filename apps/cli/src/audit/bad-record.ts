import type { CliErrorCode } from "../errors/cli-error.ts";

/** What a verdict that is bad says besides, as every error does. */
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
