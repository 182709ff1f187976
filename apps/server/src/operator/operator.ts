import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** How long a code can be exchanged, and how long a session lasts; docs/reference/limits.md lists them. */
export const codeMs = 15 * 60_000;
export const sessionMs = 12 * 3_600_000;

/** What is open at once; the oldest goes first. */
const mostCodes = 100;
const mostSessions = 100;

export interface Issued {
  readonly secret: string;
  readonly expiresAtMs: number;
}

/**
 * Who may decide on a hub without keys: whoever has the operator token, or a session that a page got for a code. Codes and
 * sessions are kept as hashes and in memory: they end with the process, so nobody who takes over its port can use them later.
 */
export class Operator {
  readonly #tokenHash: Buffer | undefined;
  readonly #codes = new Map<string, number>();
  readonly #sessions = new Map<string, number>();
  readonly #nowMs: () => number;

  /** Without a token nobody is an operator. */
  constructor(token: string | undefined, nowMs: () => number = Date.now) {
    this.#tokenHash = token === undefined ? undefined : digest(token);
    this.#nowMs = nowMs;
  }

  /** Whether the credential is the token or an open session. */
  knows(credential: string): boolean {
    return this.hasToken(credential) || this.#isOpen(this.#sessions, credential);
  }

  /** Whether it is the token itself; takes the same time for any that is not. */
  hasToken(credential: string): boolean {
    return this.#tokenHash !== undefined && timingSafeEqual(digest(credential), this.#tokenHash);
  }

  /** A code that a page can exchange once. */
  issueCode(): Issued {
    return this.#issue(this.#codes, "", 16, codeMs, mostCodes);
  }

  /** The session for a code; undefined for one that is unknown, expired or used. */
  exchange(code: string): Issued | undefined {
    const isOpen = this.#isOpen(this.#codes, code);
    this.#codes.delete(keyOf(code));
    return isOpen ? this.#issue(this.#sessions, "baton-session_", 32, sessionMs, mostSessions) : undefined;
  }

  /** Ends a session; unknown ones mean nothing. */
  end(session: string): void {
    this.#sessions.delete(keyOf(session));
  }

  #issue(to: Map<string, number>, prefix: string, bytes: number, lastsMs: number, most: number): Issued {
    const secret = prefix + randomBytes(bytes).toString("base64url");
    const expiresAtMs = this.#nowMs() + lastsMs;
    for (const [key, untilMs] of to) {
      if (untilMs > this.#nowMs() && to.size < most) break; // Oldest first, and all last equally long.
      to.delete(key);
    }
    to.set(keyOf(secret), expiresAtMs);
    return { secret, expiresAtMs };
  }

  /** Found by a hash of 256 bits: how long it takes tells nothing of those that are open. */
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
