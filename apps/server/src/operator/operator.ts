import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** The lifetime of a code and of a session; listed in docs/reference/limits.md. */
export const codeMs = 15 * 60_000;
export const sessionMs = 12 * 3_600_000;

/** Beyond these numbers the oldest is dropped. */
const maxCodes = 100;
const maxSessions = 100;

export interface Issued {
  readonly secret: string;
  readonly expiresAtMs: number;
}

/**
 * The credentials for decisions on a hub without keys: the operator token, and sessions that pages receive for a code. Codes
 * and sessions are hashes in memory and end with the process, so that another process on its port cannot use them.
 */
export class Operator {
  readonly #tokenHash: Buffer | undefined;
  readonly #codes = new Map<string, number>();
  readonly #sessions = new Map<string, number>();
  readonly #nowMs: () => number;

  /** Without a token no credential is accepted. */
  constructor(token: string | undefined, nowMs: () => number = Date.now) {
    this.#tokenHash = token === undefined ? undefined : digest(token);
    this.#nowMs = nowMs;
  }

  /** Whether the credential is the token or an open session. */
  knows(credential: string): boolean {
    return this.hasToken(credential) || this.#isOpen(this.#sessions, credential);
  }

  /** Whether it is the token itself; compares in constant time. */
  hasToken(credential: string): boolean {
    return this.#tokenHash !== undefined && timingSafeEqual(digest(credential), this.#tokenHash);
  }

  /** Issues a code that a page can exchange once. */
  issueCode(): Issued {
    return this.#issue(this.#codes, "", 16, codeMs, maxCodes);
  }

  /** The session for a code; undefined for one that is unknown, expired or used. */
  exchange(code: string): Issued | undefined {
    const isOpen = this.#isOpen(this.#codes, code);
    this.#codes.delete(keyOf(code));
    return isOpen ? this.#issue(this.#sessions, "baton-session_", 32, sessionMs, maxSessions) : undefined;
  }

  /** Ends a session, if it exists. */
  end(session: string): void {
    this.#sessions.delete(keyOf(session));
  }

  #issue(to: Map<string, number>, prefix: string, bytes: number, lastsMs: number, most: number): Issued {
    const secret = prefix + randomBytes(bytes).toString("base64url");
    const expiresAtMs = this.#nowMs() + lastsMs;
    for (const [key, untilMs] of to) {
      if (untilMs > this.#nowMs() && to.size < most) break; // In order of issue, and so of expiry.
      to.delete(key);
    }
    to.set(keyOf(secret), expiresAtMs);
    return { secret, expiresAtMs };
  }

  /** Looks up a 256-bit hash, so that the timing reveals nothing about open secrets. */
  #isOpen(among: ReadonlyMap<string, number>, secret: string): boolean {
    return (among.get(keyOf(secret)) ?? 0) > this.#nowMs();
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function keyOf(secret: string): string {
  return digest(secret).toString("base64url");
}
