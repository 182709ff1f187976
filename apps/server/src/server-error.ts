/** Everything that the server itself can be unable or unwilling to do. */
export type ServerErrorCode =
  /** An address cannot be listened on. */
  | "BATON-SERVER-001"
  /** The server would be open to the network without keys. */
  | "BATON-SERVER-002"
  /** There are too many calls or streams now. */
  | "BATON-SERVER-003"
  /** Who asks is not known. */
  | "BATON-SERVER-004"
  /** The key has no role that may ask this. */
  | "BATON-SERVER-005"
  /** The request came by a name, or from a page, that is not trusted. */
  | "BATON-SERVER-006"
  /** A mistake of the hub; the log has it under the reference. */
  | "BATON-SERVER-007"
  /** The caller's time ran out, or the caller went away. */
  | "BATON-SERVER-008"
  /** There is nothing at this path, or not by this method. */
  | "BATON-SERVER-009"
  /** The server is stopping. */
  | "BATON-SERVER-010"
  /** The command line or the environment says what it must not. */
  | "BATON-SERVER-011"
  /** A file of the configuration cannot be read. */
  | "BATON-SERVER-012"
  /** An answer is larger than a message may be. */
  | "BATON-SERVER-014"
  /** A person's decision, and the call has no operator token. */
  | "BATON-SERVER-016"
  /** The operator token cannot be kept. */
  | "BATON-SERVER-017"
  /** A sign-in code is unknown, expired or already used. */
  | "BATON-SERVER-018";

/** Why the server was not started. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly code: ServerErrorCode;
  readonly fix: string;

  constructor(code: ServerErrorCode, message: string, fix: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.fix = fix;
  }

  /** The whole story for a person. */
  override toString(): string {
    return `${this.code}  ${this.message}\n  fix: ${this.fix}`;
  }
}
