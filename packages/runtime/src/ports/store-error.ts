/** Somebody else has written to the journal: the writer has to load it again. */
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

export type StoreErrorCode =
  /** Another process has the store open. */
  | "BATON-STORE-001"
  /** A newer version of Baton has written it. */
  | "BATON-STORE-002"
  /** What is stored is damaged. */
  | "BATON-STORE-003"
  /** There is no room left. */
  | "BATON-STORE-004"
  /** It must not be written to. */
  | "BATON-STORE-005"
  /** It cannot be reached, or was closed. */
  | "BATON-STORE-006"
  /** The place for a backup is taken or cannot be written. */
  | "BATON-STORE-007"
  /** The hub asked for what no hub may ask for: a gap in a sequence, a row of another pipeline, too much at once. */
  | "BATON-STORE-008"
  /** The key that the hub signs its record with is damaged or cannot be read. */
  | "BATON-STORE-009"
  /** The key that opens the store is missing, or cannot be used, or is not for its owner alone. */
  | "BATON-STORE-010"
  /** It is the key of another store. */
  | "BATON-STORE-011";

/** Something that is wrong with what is stored, as whoever opens it is told. */
export interface StoreFault {
  readonly code: StoreErrorCode;
  readonly message: string;
  readonly fix: string;
}

/** The store cannot do what was asked. Nothing of it was done. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  readonly code: StoreErrorCode;
  /** What a person can do about it. */
  readonly fix: string;
  /** Whether it may work later without anybody changing the hub. */
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

/** What is stored of one pipeline cannot be read. All others can be. */
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
