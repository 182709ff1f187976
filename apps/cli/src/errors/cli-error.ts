import type { Violation } from "@baton/contract/forms";
import { type ExitCode, exitCode } from "../exit-code.ts";

/** Errors of the command line itself, with the exit code of each. */
const classes = {
  /** The command line is invalid. */
  "BATON-CLI-001": exitCode.usage,
  /** A file cannot be read or is invalid. */
  "BATON-CLI-002": exitCode.usage,
  /** The hub cannot be reached, or does not answer. */
  "BATON-CLI-003": exitCode.unavailable,
  /** Nothing has this id. */
  "BATON-CLI-004": exitCode.notFound,
  /** The id prefix is ambiguous. */
  "BATON-CLI-005": exitCode.usage,
  /** The server cannot be started. */
  "BATON-CLI-006": exitCode.unavailable,
  /** The key cannot be used. */
  "BATON-CLI-007": exitCode.denied,
  /** The hub's error has no detail. */
  "BATON-CLI-008": exitCode.unexpected,
  /** A bug of the command line. */
  "BATON-CLI-009": exitCode.unexpected,
  /** The demonstration cannot be run here. */
  "BATON-CLI-010": exitCode.unavailable,
  /** The file is no export of an audit record, or its first line was changed. */
  "BATON-CLI-011": exitCode.recordBad,
  /** An audit record is not whole, or not signed with a trusted key. */
  "BATON-CLI-012": exitCode.recordBad,
  /** The page of a hub cannot be signed in from here. */
  "BATON-CLI-013": exitCode.unavailable,
} as const satisfies Record<string, ExitCode>;

export type CliErrorCode = keyof typeof classes;

export interface CliErrorDetail {
  readonly fix: string;
  /** The position, such as `task.yaml:3:5`. */
  readonly at?: string;
  readonly violations?: readonly Violation[];
  readonly exitCode?: ExitCode;
  readonly cause?: unknown;
}

/** Why a command failed. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;
  readonly fix: string;
  readonly at: string;
  readonly violations: readonly Violation[];
  readonly exitCode: ExitCode;

  constructor(code: CliErrorCode, message: string, detail: CliErrorDetail) {
    super(message, { cause: detail.cause });
    this.code = code;
    this.fix = detail.fix;
    this.at = detail.at ?? "";
    this.violations = detail.violations ?? [];
    this.exitCode = detail.exitCode ?? classes[code];
  }
}
