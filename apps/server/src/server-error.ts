import type { UploadErrorCode } from "@baton/runtime";

export type ServerErrorCode =
  | UploadErrorCode
  | "BATON-UPLOAD-006"
  | "BATON-UPLOAD-007"
  /** The server cannot listen at an address. */
  | "BATON-SERVER-001"
  /** The server would be open to the network without keys. */
  | "BATON-SERVER-002"
  /** Too many concurrent calls or streams. */
  | "BATON-SERVER-003"
  /** The caller is unknown. */
  | "BATON-SERVER-004"
  /** The key has no role for the call. */
  | "BATON-SERVER-005"
  /** The host name or the origin of the request is not trusted. */
  | "BATON-SERVER-006"
  /** An internal error; the log has the details under the reference. */
  | "BATON-SERVER-007"
  /** The call timed out, or the caller went away. */
  | "BATON-SERVER-008"
  /** The path or the method does not exist. */
  | "BATON-SERVER-009"
  /** The server is stopping. */
  | "BATON-SERVER-010"
  /** The command line or the environment is invalid. */
  | "BATON-SERVER-011"
  /** A file of the configuration cannot be read. */
  | "BATON-SERVER-012"
  /** A response exceeds the largest message. */
  | "BATON-SERVER-014"
  /** A person's decision, and the call has no operator token. */
  | "BATON-SERVER-016"
  /** The operator token cannot be kept. */
  | "BATON-SERVER-017"
  /** A sign-in code is unknown, expired or already used. */
  | "BATON-SERVER-018";

/** A reason why the server does not start. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly code: ServerErrorCode;
  readonly fix: string;

  constructor(code: ServerErrorCode, message: string, fix: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.fix = fix;
  }

  override toString(): string {
    return `${this.code}  ${this.message}\n  fix: ${this.fix}`;
  }
}
