/**
 * Looks after the record beside the hub: it signs the state of every tenant's record from time to time and when it is
 * asked to, and keeps the files of a folder up to it. Nothing that the hub decides waits for it.
 */
import type { ChainHead } from "@baton/kernel";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { checkHeads, checkNote, type HeadFault } from "./check-heads.ts";
import type { CheckpointTarget } from "./checkpoint-copies.ts";
import { CopyQueue } from "./copy-queue.ts";
import { noteMissing, putAside, readMissing, readNewestHeads, writeHeads } from "./head-file.ts";
import { Notary } from "./notary.ts";
import { RecordDamaged } from "./record-damaged.ts";
import { makeSigningKey, type SigningKey } from "./signing-key.ts";
import { findLost, type RecordFault } from "./walk-record.ts";
import { type Workshop, workshopHere } from "./workshop.ts";

export interface AuditOptions {
  readonly key: SigningKey;
  readonly workshop: Workshop;
  /** Where the record is written as files, too. */
  readonly folder?: string | undefined;
  /** The folder beside whose store it is noted where the record ends. */
  readonly headFolder?: string | undefined;
  /** Where checkpoints are copied to. */
  readonly checkpoints?: readonly CheckpointTarget[];
  readonly rhythm?: Partial<AuditRhythm>;
}

export interface AuditRhythm {
  /** How often it looks how far records have grown. */
  readonly lookMs: number;
  /** A record that has grown is signed after this time at the latest, … */
  readonly signMs: number;
  /** … or when it has grown by so many entries. */
  readonly signEntries: number;
  /** How often files are brought up to the record. */
  readonly filesMs: number;
  /** How long a folder that cannot be written is left alone. */
  readonly retryFilesMs: number;
  /** How long signing may take at the end. */
  readonly closeMs: number;
}

export const defaultAuditRhythm: AuditRhythm = {
  lookMs: 5_000,
  signMs: 60_000,
  signEntries: 10_000,
  filesMs: 250,
  retryFilesMs: 5_000,
  closeMs: 4_000,
};

export interface AuditorParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Without them it does what it is asked to and nothing by itself. */
  readonly options: AuditOptions | undefined;
  readonly onProblem: (problem: Error) => void;
}

export class Auditor {
  readonly key: SigningKey;
  readonly workshop: Workshop;
  readonly notary: Notary;
  readonly #parts: AuditorParts;
  readonly #rhythm: AuditRhythm;
  readonly #signedAtMs = new Map<string, number>();
  /** As the file beside the store has it. */
  #writtenHeads: ReadonlyMap<string, bigint> | undefined;
  readonly #copies: CopyQueue;
  #noting: Promise<unknown> = Promise.resolve();
  #filesEnds: ReadonlyMap<string, bigint> = new Map();
  /** What was told last of each of its two works, so that it is not told again and again. */
  readonly #told = new Map<string, string>();
  readonly #stops = new Map<string, () => void>();
  /** Works that are under way. */
  readonly #busy = new Map<string, Promise<void>>();
  #isClosed = false;
  #isDamaged = false;

  constructor(parts: AuditorParts) {
    const { store, clock, options, onProblem } = parts;
    this.#parts = parts;
    this.#rhythm = { ...defaultAuditRhythm, ...options?.rhythm };
    this.key = options?.key ?? makeSigningKey();
    this.workshop = options?.workshop ?? workshopHere(store);
    const { key, workshop } = this;
    this.#copies = new CopyQueue(options?.checkpoints ?? []);
    this.notary = new Notary({
      ...{ store, workshop, key, nowMs: () => clock.nowMs(), onProblem },
      // A signature without a note of where the record ends would look as if the note had been removed.
      beforeSigning: async () => void (await this.#noteHeads()),
      onSigned: (checkpoint) => this.#copies.add(checkpoint),
    });
  }

  /** Begins to look by itself. */
  start(): void {
    const { options } = this.#parts;
    if (options === undefined) return;
    this.#repeat("sign", this.#rhythm.lookMs, () => this.#look());
    if (options.checkpoints?.length) this.#repeat("copies", this.#rhythm.filesMs, () => this.#copies.run());
    if (options.folder !== undefined) this.#repeat("files", this.#rhythm.filesMs, () => this.#appendFiles());
  }

  /** For probes, which anybody may read: no tenant and no place is named. The log says more. */
  warnings(): readonly string[] {
    return [
      ...(this.#isDamaged
        ? ["the audit record has lost entries: the log and baton audit verify say where"]
        : []),
      ...(this.#told.has("copies")
        ? ["checkpoints of the audit record are not copied: the log says why"]
        : []),
    ];
  }

  /** Signs and writes out what there is, and ends. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops.values()) stop();
    if (this.#parts.options !== undefined) {
      await Promise.race([this.#finish(), this.#after(this.#rhythm.closeMs)]);
    }
    this.#copies.close();
    await this.workshop.close();
  }

  async #finish(): Promise<void> {
    await Promise.all(this.#busy.values());
    await this.#tolerant("sign", () => this.#look(true));
    await this.#tolerant("copies", () => this.#copies.run());
    if (this.#parts.options?.folder !== undefined) await this.#tolerant("files", () => this.#appendFiles());
  }

  #after(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#parts.clock.after(delayMs, resolve));
  }

  #repeat(name: string, everyMs: number, work: () => Promise<void>): void {
    const stop = this.#parts.clock.after(everyMs, () => {
      const done = this.#tolerant(name, work).then((wentWell) => {
        this.#busy.delete(name);
        const waitMs = wentWell ? everyMs : Math.max(everyMs, this.#rhythm.retryFilesMs);
        if (!this.#isClosed) this.#repeat(name, waitMs, work);
      });
      this.#busy.set(name, done);
    });
    this.#stops.set(name, stop);
  }

  /** Nobody asked for it, so what goes wrong is told, once. */
  async #tolerant(name: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#told.delete(name);
      return true;
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      if (this.#told.get(name) !== problem.message) this.#parts.onProblem(problem);
      this.#told.set(name, problem.message);
      return false;
    }
  }

  async #look(all = false): Promise<void> {
    await this.#signWhatGrew(await this.#noteHeads(), all);
  }

  /** At first what an earlier life noted is compared: a store that has lost entries since must not be taken for whole. */
  #noteHeads(): Promise<readonly ChainHead[]> {
    // One after another: two at once would compare the same note twice.
    const noted = this.#noting
      .catch(() => {})
      .then(async () => {
        const heads = await this.workshop.heads();
        await this.#writeNote(heads);
        return heads;
      });
    this.#noting = noted;
    return noted;
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
      const fault = known.includes(tenantId) ? undefined : await checkNote(store, headFolder, tenantId);
      if (fault) missed.push(fault);
    }
    for (const one of missed) report(one);
    if (missed.length > 0) noteMissing(headFolder, clock.nowMs(), missed);
    const fault = await checkHeads(store, readNewestHeads(headFolder), undefined);
    if (fault) {
      report(fault);
      putAside(headFolder, clock.nowMs());
    }
    for (const lost of await store.lostEntries()) {
      const found = await findLost(store, lost.tenantId);
      if (found) report({ ...found, tenantId: lost.tenantId });
    }
  }

  async #signWhatGrew(heads: readonly ChainHead[], all: boolean): Promise<void> {
    const nowMs = this.#parts.clock.nowMs();
    let failure: unknown;
    for (const { tenantId, sequence: end } of heads) {
      const grown = end - this.notary.reached(tenantId);
      if (!this.#signedAtMs.has(tenantId)) this.#signedAtMs.set(tenantId, nowMs);
      const isDue = nowMs - (this.#signedAtMs.get(tenantId) ?? 0) >= this.#rhythm.signMs;
      if (grown <= 0n || !(all || isDue || grown >= this.#rhythm.signEntries)) continue;
      try {
        await this.notary.signSome(tenantId);
        this.#signedAtMs.set(tenantId, nowMs);
      } catch (error) {
        failure ??= error; // Other tenants have records too.
      }
    }
    if (failure) throw failure;
  }

  async #appendFiles(): Promise<void> {
    const { folder } = this.#parts.options ?? {};
    if (folder === undefined) return;
    const ends = await this.workshop.ends();
    const grew = [...ends].some(([tenantId, end]) => end > (this.#filesEnds.get(tenantId) ?? -1n));
    if (!grew) return;
    try {
      await this.workshop.append({ folder, ends });
      this.#filesEnds = ends;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`the record cannot be written to the folder ${folder}: ${why}`, { cause: error });
    }
  }
}
