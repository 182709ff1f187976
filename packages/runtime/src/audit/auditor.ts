/**
 * Maintains the audit record in the background: signs the state of every tenant's record periodically and on request,
 * and keeps the copies in files current. No decision of the hub waits for it.
 */
import type { ChainHead } from "@baton/kernel";
import pLimit from "p-limit";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { type AuditWorker, inlineAuditWorker } from "./audit-worker.ts";
import { checkHeadFile, checkHeads, type HeadFault } from "./check-heads.ts";
import type { CheckpointTarget } from "./checkpoint-copies.ts";
import { CopyQueue } from "./checkpoint-copies.ts";
import { CheckpointSigner } from "./checkpoint-signer.ts";
import { moveAside, noteMissing, readMissing, readNewestHeads, writeHeads } from "./head-file.ts";
import { makeSigningKey, type SigningKey } from "./signing-key.ts";
import { findLost, RecordDamaged, type RecordFault } from "./walk-record.ts";

export interface AuditOptions {
  readonly key: SigningKey;
  readonly auditWorker: AuditWorker;
  /** Folder of the copies in files. */
  readonly folder?: string | undefined;
  /** Data folder that contains `audit.head`, the end of each record. */
  readonly headFolder?: string | undefined;
  /** Targets of checkpoint copies. */
  readonly checkpoints?: readonly CheckpointTarget[];
  readonly schedule?: Partial<AuditSchedule>;
}

export interface AuditSchedule {
  /** Interval of checks for growth. */
  readonly checkMs: number;
  /** A record that has grown is signed after this time … */
  readonly signMs: number;
  /** … or after this number of entries. */
  readonly signEntries: number;
  /** Interval of appending to files. */
  readonly filesMs: number;
  /** Delay after a folder could not be written. */
  readonly retryFilesMs: number;
  /** Timeout of the final signatures. */
  readonly closeMs: number;
}

export const defaultAuditSchedule: AuditSchedule = {
  checkMs: 5_000,
  signMs: 60_000,
  signEntries: 10_000,
  filesMs: 250,
  retryFilesMs: 5_000,
  closeMs: 4_000,
};

export interface AuditorParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Without options it works on request only. */
  readonly options: AuditOptions | undefined;
  readonly onProblem: (problem: Error) => void;
}

export class Auditor {
  readonly key: SigningKey;
  readonly auditWorker: AuditWorker;
  readonly signer: CheckpointSigner;
  readonly #parts: AuditorParts;
  readonly #schedule: AuditSchedule;
  readonly #signedAtMs = new Map<string, number>();
  /** Content of `audit.head`. */
  #writtenHeads: ReadonlyMap<string, bigint> | undefined;
  readonly #copies: CopyQueue;
  readonly #noting = pLimit(1);
  #filesEnds: ReadonlyMap<string, bigint> = new Map();
  /** The last reported problem of each task, which is not reported again. */
  readonly #reported = new Map<string, string>();
  readonly #stops = new Map<string, () => void>();
  /** Running tasks. */
  readonly #busy = new Map<string, Promise<void>>();
  #isClosed = false;
  #isDamaged = false;

  constructor(parts: AuditorParts) {
    const { store, clock, options, onProblem } = parts;
    this.#parts = parts;
    this.#schedule = { ...defaultAuditSchedule, ...options?.schedule };
    this.key = options?.key ?? makeSigningKey();
    this.auditWorker = options?.auditWorker ?? inlineAuditWorker(store);
    const { key, auditWorker } = this;
    this.#copies = new CopyQueue(options?.checkpoints ?? []);
    this.signer = new CheckpointSigner({
      ...{ store, auditWorker, key, nowMs: () => clock.nowMs(), onProblem },
      // Written before each signature; a signature without it would look like a removed note.
      beforeSigning: async () => void (await this.#noteHeads()),
      onSigned: (checkpoint) => this.#copies.add(checkpoint),
    });
  }

  /** Starts the periodic tasks. */
  start(): void {
    const { options } = this.#parts;
    if (options === undefined) return;
    this.#repeat("sign", this.#schedule.checkMs, () => this.#sign());
    if (options.checkpoints?.length) this.#repeat("copies", this.#schedule.filesMs, () => this.#copies.run());
    if (options.folder !== undefined)
      this.#repeat("files", this.#schedule.filesMs, () => this.#appendFiles());
  }

  /** For public probes: names no tenant or path; the log has the details. */
  warnings(): readonly string[] {
    return [
      ...(this.#isDamaged
        ? ["the audit record has lost entries: the log and baton audit verify name them"]
        : []),
      ...(this.#reported.has("copies")
        ? ["checkpoints of the audit record are not copied: the log says why"]
        : []),
    ];
  }

  /** Signs and writes everything, then stops. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops.values()) stop();
    if (this.#parts.options !== undefined) {
      await Promise.race([this.#finish(), this.#after(this.#schedule.closeMs)]);
    }
    this.#copies.close();
    await this.auditWorker.close();
  }

  async #finish(): Promise<void> {
    await Promise.all(this.#busy.values());
    await this.#attempt("sign", () => this.#sign(true));
    await this.#attempt("copies", () => this.#copies.run());
    if (this.#parts.options?.folder !== undefined) await this.#attempt("files", () => this.#appendFiles());
  }

  #after(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#parts.clock.after(delayMs, resolve));
  }

  #repeat(name: string, everyMs: number, work: () => Promise<void>): void {
    const stop = this.#parts.clock.after(everyMs, () => {
      const done = this.#attempt(name, work).then((succeeded) => {
        this.#busy.delete(name);
        const waitMs = succeeded ? everyMs : Math.max(everyMs, this.#schedule.retryFilesMs);
        if (!this.#isClosed) this.#repeat(name, waitMs, work);
      });
      this.#busy.set(name, done);
    });
    this.#stops.set(name, stop);
  }

  /** Background tasks report each problem once. */
  async #attempt(name: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#reported.delete(name);
      return true;
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      if (this.#reported.get(name) !== problem.message) this.#parts.onProblem(problem);
      this.#reported.set(name, problem.message);
      return false;
    }
  }

  async #sign(all = false): Promise<void> {
    await this.#signGrown(await this.#noteHeads(), all);
  }

  /**
   * The first call compares the note of the previous process: a store that has lost entries must not pass as complete.
   */
  #noteHeads(): Promise<readonly ChainHead[]> {
    // Serialised: concurrent calls would compare the same note twice.
    return this.#noting(async () => {
      const heads = await this.auditWorker.heads();
      await this.#writeNote(heads);
      return heads;
    });
  }

  async #writeNote(heads: readonly ChainHead[]): Promise<void> {
    const { headFolder } = this.#parts.options ?? {};
    if (headFolder === undefined) return;
    if (this.#writtenHeads === undefined) await this.#compareNotes(headFolder, heads);
    const grew = heads.some(({ tenantId, sequence }) => sequence > (this.#writtenHeads?.get(tenantId) ?? 0n));
    if (grew) writeHeads(headFolder, heads, this.key);
    this.#writtenHeads = new Map(heads.map(({ tenantId, sequence }) => [tenantId, sequence]));
  }

  async #compareNotes(headFolder: string, heads: readonly ChainHead[]): Promise<void> {
    const { store, clock, onProblem } = this.#parts;
    const report = (fault: RecordFault & { readonly tenantId: string }) => {
      this.#isDamaged = true;
      onProblem(new RecordDamaged(fault.tenantId, fault));
    };
    const known = readMissing(headFolder).map(({ tenantId }) => tenantId);
    const missed: HeadFault[] = [];
    for (const { tenantId } of heads) {
      const fault = known.includes(tenantId) ? undefined : await checkHeadFile(store, headFolder, tenantId);
      if (fault) missed.push(fault);
    }
    for (const missing of missed) report(missing);
    if (missed.length > 0) noteMissing(headFolder, clock.nowMs(), missed);
    const fault = await checkHeads(store, readNewestHeads(headFolder), undefined);
    if (fault) {
      report(fault);
      moveAside(headFolder, clock.nowMs());
    }
    for (const lost of await store.lostEntries()) {
      const found = await findLost(store, lost.tenantId);
      if (found) report({ ...found, tenantId: lost.tenantId });
    }
  }

  async #signGrown(heads: readonly ChainHead[], all: boolean): Promise<void> {
    const nowMs = this.#parts.clock.nowMs();
    let failure: unknown;
    for (const { tenantId, sequence: end } of heads) {
      const grown = end - this.signer.reached(tenantId);
      if (!this.#signedAtMs.has(tenantId)) this.#signedAtMs.set(tenantId, nowMs);
      const isDue = nowMs - (this.#signedAtMs.get(tenantId) ?? 0) >= this.#schedule.signMs;
      if (grown <= 0n || !(all || isDue || grown >= this.#schedule.signEntries)) continue;
      try {
        await this.signer.signSome(tenantId);
        this.#signedAtMs.set(tenantId, nowMs);
      } catch (error) {
        failure ??= error; // Other tenants are signed, too.
      }
    }
    if (failure) throw failure;
  }

  async #appendFiles(): Promise<void> {
    const { folder } = this.#parts.options ?? {};
    if (folder === undefined) return;
    const ends = await this.auditWorker.ends();
    const grew = [...ends].some(([tenantId, end]) => end > (this.#filesEnds.get(tenantId) ?? -1n));
    if (!grew) return;
    try {
      await this.auditWorker.append({ folder, ends });
      this.#filesEnds = ends;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`the record cannot be written to the folder ${folder}: ${reason}`, { cause: error });
    }
  }
}
