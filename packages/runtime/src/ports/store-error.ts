/** Another writer has appended to the journal; the caller has to load it again. */
export class Conflict extends Error {
  override readonly name = "Conflict";
  readonly pipelineId: string;
  readonly expectedVersion: number;
  readonly actualVersion: number;

  constructor(pipelineId: string, expectedVersion: number, actualVersion: number) {
    super(
      `the journal of pipeline "${pipelineId}" has ${actualVersion} records, and ${expectedVersion} were expected`,
    );
    this.pipelineId = pipelineId;
    this.expectedVersion = expectedVersion;
    this.actualVersion = actualVersion;
  }
}

/** The batch does not follow the last one of its writer: an earlier one is missing, or another process writes in its name. */
export class OutOfSequence extends Error {
  override readonly name = "OutOfSequence";
  readonly writer: string;
  readonly sequence: number;
  readonly last: number;

  constructor(writer: string, sequence: number, last: number) {
    super(`batch ${sequence} of writer "${writer}" does not follow batch ${last}`);
    this.writer = writer;
    this.sequence = sequence;
    this.last = last;
  }
}

export type StoreErrorCode =
  /** Another process has the store open. */
  | "BATON-STORE-001"
  /** A newer version of Baton has written it. */
  | "BATON-STORE-002"
  /** What is stored is damaged. */
  | "BATON-STORE-003"
  /** The disk is full. */
  | "BATON-STORE-004"
  /** It is not writable. */
  | "BATON-STORE-005"
  /** It cannot be reached, or was closed. */
  | "BATON-STORE-006"
  /** The path of a backup exists or is not writable. */
  | "BATON-STORE-007"
  /** The hub broke a rule of the port: a gap in a sequence, a row of another pipeline, too much at once. */
  | "BATON-STORE-008"
  /** The key that the hub signs its record with is damaged or cannot be read. */
  | "BATON-STORE-009"
  /** The key of the store is missing, unusable, or readable by others than its owner. */
  | "BATON-STORE-010"
  /** It is the key of another store. */
  | "BATON-STORE-011";

/** A fault of the stored data, reported to the operator. */
export interface StoreFault {
  readonly code: StoreErrorCode;
  readonly message: string;
  readonly fix: string;
}

/** The store cannot do what was requested. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  readonly code: StoreErrorCode;
  /** What an operator can do about it. */
  readonly fix: string;
  /** Whether a retry may succeed without a change to the hub. */
  readonly mayPass: boolean;

  constructor(
    code: StoreErrorCode,
    message: string,
    { fix, mayPass, cause }: { fix: string; mayPass: boolean; cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.fix = fix;
    this.mayPass = mayPass;
  }
}

/** The journal of one pipeline cannot be read; others are not affected. */
export class DamagedJournal extends StoreUnavailable {
  readonly pipelineId: string;

  constructor(pipelineId: string, what: string, cause?: unknown) {
    super("BATON-STORE-003", `the journal of pipeline "${pipelineId}" is damaged: ${what}`, {
      fix: "keep the directory as it is, and start from the last backup in a new one",
      mayPass: false,
      cause,
    });
    this.pipelineId = pipelineId;
  }
}
