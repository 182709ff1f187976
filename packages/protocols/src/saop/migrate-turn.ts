/** SAOP §3: a mandatory field bumps the version of a turn, and turns of the version before are brought to it. */
import { type TurnEnvelope, TurnEnvelopeSchema, turnVersion } from "./turn-envelope.ts";

/** A turn as some version wrote it. */
export type LooseTurn = Readonly<Record<string, unknown>>;

/** From one version to the next: adds what the next one wants. */
export interface TurnMigration {
  readonly from: string;
  readonly to: string;
  migrate(turn: LooseTurn): LooseTurn;
}

/** In their order. There is one version so far, so there is nothing to migrate from. */
export const turnMigrations: readonly TurnMigration[] = [];

/** The turn says a version that cannot be read here. */
export class TurnVersionError extends Error {
  override readonly name = "TurnVersionError";
  readonly code = "BATON-SAOP-001";
  readonly version: string;
  readonly fix: string;

  constructor(version: string, message: string, fix: string) {
    super(`metadata.version: ${message}`);
    this.version = version;
    this.fix = fix;
  }
}

/**
 * Reads a turn of this version or of an earlier one. Throws `TurnVersionError` for a version that is newer or that nobody
 * knows, and Zod's error for a turn that breaks the rules of its version.
 */
export function readTurn(json: unknown): TurnEnvelope {
  return TurnEnvelopeSchema.parse(migrateTurn(json, turnVersion, turnMigrations));
}

/** Brings a turn to a version, step by step. What says no version is returned as it is: it breaks another rule. */
export function migrateTurn(json: unknown, current: string, migrations: readonly TurnMigration[]): unknown {
  let turn = json;
  for (;;) {
    const version = versionOf(turn);
    if (version === undefined || version === current) return turn;
    const step = migrations.find(({ from }) => from === version);
    if (!step) throw unreadable(version, current);
    turn = withVersion(step.migrate(turn as LooseTurn), step.to);
  }
}

function unreadable(version: string, current: string): TurnVersionError {
  if (isNewer(version, current)) {
    const message = `this turn is of version ${version}, and this version of Baton reads up to ${current}`;
    return new TurnVersionError(version, message, `update Baton, or send turns of version ${current}`);
  }
  // An invalid version is not quoted: it could be a secret.
  const named = /^\d{1,6}(\.\d{1,6}){0,2}$/.test(version) ? `no version ${version}` : "no such version";
  const message = `there is ${named} of a turn that can be read here`;
  return new TurnVersionError(version, message, `send turns of version ${current}`);
}

function versionOf(turn: unknown): string | undefined {
  if (!isObject(turn) || !isObject(turn.metadata)) return undefined;
  const { version } = turn.metadata;
  return typeof version === "string" ? version : undefined;
}

function withVersion(turn: LooseTurn, version: string): LooseTurn {
  const metadata = isObject(turn.metadata) ? turn.metadata : {};
  return { ...turn, metadata: { ...metadata, version } };
}

/** By its numbers, as semver has it. What is no version is not newer. */
function isNewer(version: string, current: string): boolean {
  if (!/^[\d.]{1,20}$/.test(version)) return false;
  const [one, other] = [version, current].map((text) => text.split(".").map(Number));
  for (const [place, mine] of (other ?? []).entries()) {
    const theirs = one?.[place] ?? 0;
    if (theirs !== mine) return theirs > mine;
  }
  return false;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
