/** Entries with inclusion proofs: those of a pipeline, or a single one. */
import { type AuditCheckpoint, AuditEntrySchema } from "@baton/contract/messages";
import { fromBinary } from "@bufbuild/protobuf";
import type { Digest } from "../digest.ts";
import { verifyInclusion } from "../merkle/inclusion.ts";
import { checkPosition } from "../verify/chain-position.ts";
import { frameBytes } from "../verify/entry-frame.ts";
import type { Fault } from "../verify/fault.ts";
import type { ExportHeader } from "./format.ts";

/** Compares the entries with the header, and each with the checkpoint. */
export class ProvenEntries {
  readonly #header: ExportHeader;
  readonly #checkpoint: AuditCheckpoint | undefined;
  readonly #digest: Digest;
  readonly #seen = new Set<number>();
  readonly #expected: ReadonlySet<number>;
  #fault: Fault | undefined;
  /** The expected entry when another one came. */
  #missed: number | undefined;
  #count = 0;

  constructor(header: ExportHeader, checkpoint: AuditCheckpoint | undefined, digest: Digest) {
    this.#header = header;
    this.#expected = new Set(header.sequences);
    this.#checkpoint = checkpoint;
    this.#digest = digest;
  }

  get entriesChecked(): bigint {
    return BigInt(this.#count);
  }

  push(bytes: Uint8Array, proof: readonly Uint8Array[]): void {
    const expected = this.#header.sequences?.[this.#count];
    const sequence = this.#judge(bytes, proof, expected);
    if (sequence !== undefined) this.#seen.add(sequence);
    if (this.#fault === undefined && this.#missed === undefined) this.#count++;
  }

  /** The sequence of an entry whose hash is right. */
  #judge(bytes: Uint8Array, proof: readonly Uint8Array[], expected: number | undefined): number | undefined {
    const { tenantId, pipelineId } = this.#header;
    const named = BigInt(expected ?? this.#header.sequences?.at(-1) ?? 0);
    const frame = frameBytes(bytes);
    if (frame === undefined) return this.#blame(named, "changed", `entry ${named} cannot be read`);
    const { sequence, previousHash, entryHash } = frame;
    const before = { tenantId, sequence: sequence - 1n, entryHash: previousHash };
    const wrong = checkPosition(before, frame, this.#digest);
    if (wrong || entryHash === undefined) {
      return this.#blame(named, "changed", `entry ${named} is not what its hash was made of`);
    }
    const number = Number(sequence);
    if (expected === undefined || !this.#expected.has(number) || this.#seen.has(number)) {
      return this.#blame(sequence, "inserted", `entry ${sequence} was added`);
    }
    if (number !== expected) this.#missed ??= expected;
    if (pipelineId !== undefined && pipelineOf(bytes) !== pipelineId) {
      return this.#blame(sequence, "inserted", `entry ${sequence} is not of pipeline "${pipelineId}"`);
    }
    const { sequence: treeSize = 0n, rootHash = new Uint8Array() } = this.#checkpoint ?? {};
    const claim = { entryHash, leafIndex: sequence - 1n, treeSize, hashes: proof, rootHash };
    if (!verifyInclusion(claim, this.#digest)) {
      const problem = `the proof of entry ${sequence} does not lead to the checkpoint at ${treeSize}`;
      return this.#blame(sequence, "changed", problem);
    }
    return number;
  }

  #blame(sequence: bigint, kind: Fault["kind"], problem: string): undefined {
    if (this.#missed === undefined) this.#fault ??= { kind, sequence, problem };
    return undefined;
  }

  end(): Fault | undefined {
    if (this.#fault) return this.#fault;
    const missed = this.#missed ?? this.#header.sequences?.[this.#count];
    if (missed === undefined) return undefined;
    const sequence = BigInt(missed);
    if (this.#seen.has(missed)) {
      const problem = `entry ${sequence} stands behind entries that came after it`;
      return { kind: "reordered", sequence, problem };
    }
    return this.#missed === undefined
      ? { kind: "cut", sequence, problem: `the file ends before entry ${sequence}` }
      : { kind: "removed", sequence, problem: `entry ${sequence} is missing` };
  }
}

function pipelineOf(bytes: Uint8Array): string | undefined {
  try {
    return fromBinary(AuditEntrySchema, bytes).pipelineId;
  } catch {
    return undefined;
  }
}
