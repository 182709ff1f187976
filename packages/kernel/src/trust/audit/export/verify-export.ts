/** Checks an exported record, line by line, without the hub that wrote it (OBS-04). */
import type { AuditCheckpoint } from "@baton/contract/messages";
import { distrust, type VerifySignature } from "../checkpoint.ts";
import { type Digest, sameHash } from "../digest.ts";
import { type CheckSignature, keyIdOf, type PublicKey, trustKeys } from "../key.ts";
import { type ChainVerifier, chainVerifier } from "../verify/chain-verifier.ts";
import type { Fault, FaultKind } from "../verify/fault.ts";
import { checkKeptCheckpoint } from "./check-kept-checkpoint.ts";
import { type ExportHeader, trailerBytes, trailerKey } from "./format.ts";
import { ProvenEntries } from "./proven-entries.ts";
import { readCheckpoint, readHeader, readProven, readTrailer } from "./read-line.ts";

/** Platform functions of the caller. */
export interface ExportTools {
  readonly digest: Digest;
  /** An incremental digest. */
  readonly startDigest: () => { add(bytes: Uint8Array): void; end(): Uint8Array };
  readonly checkSignature: CheckSignature;
  readonly readText: (bytes: Uint8Array) => string;
  /** Undefined for anything but canonical base64 with padding. */
  readonly readBase64: (text: string) => Uint8Array | undefined;
}

export interface ExportOptions {
  /** Ids of trusted keys. By default, the keys that the file names. */
  readonly trusted?: readonly string[];
  /** A checkpoint that the caller kept elsewhere and vouches for. */
  readonly kept?: AuditCheckpoint;
}

export interface ExportVerdict {
  readonly valid: boolean;
  readonly header: ExportHeader;
  readonly entriesChecked: bigint;
  readonly fault: Fault | undefined;
  /** The last entry that a checkpoint or the kept one vouches for. */
  readonly vouchedThrough: bigint;
  /** The newest checkpoint of the file. */
  readonly checkpoint: AuditCheckpoint | undefined;
  /** Whether trusted keys were given, instead of those of the file. */
  readonly keysAreTrusted: boolean;
}

interface ExportVerifier {
  /** Adds a line, including its line feed. */
  push(line: Uint8Array): void;
  /** Undefined when the first line is not a header. */
  end(): ExportVerdict | undefined;
}

/** More than any hub writes; bounds the memory for an untrusted file. */
const maxCheckpoints = 100_000;

const entryStart = ascii('{"entry":"');
const chainedEnd = ascii('"}\n');
const proofStart = ascii('","proof":[');

export function exportVerifier(tools: ExportTools, { trusted, kept }: ExportOptions = {}): ExportVerifier {
  const { digest } = tools;
  const sum = tools.startDigest();
  const checkpoints: AuditCheckpoint[] = [];
  let header: ExportHeader | undefined;
  let believe: VerifySignature = () => false;
  let early: Fault | undefined;
  let chain: ChainVerifier | undefined;
  let proven: ProvenEntries | undefined;
  let trailer: "right" | "wrong" | undefined;
  let damagedLine: number | undefined;
  let lines = 0;

  function begin(line: Uint8Array): void {
    header = readHeader(tools.readText(line));
    if (header === undefined) return;
    const keys = new Map<string, PublicKey>();
    for (const { keyId, publicKey } of header.keys) {
      const bytes = tools.readBase64(publicKey);
      if (bytes === undefined || bytes.length !== 32 || keyIdOf(bytes, digest) !== keyId) {
        early ??= whole("foreign-key", `the file names key ${keyId} and carries another one`);
      } else if (trusted === undefined || trusted.includes(keyId)) {
        keys.set(keyId, bytes);
      }
    }
    if (trusted !== undefined && keys.size === 0 && header.keys.length > 0) {
      const others = header.keys.map(({ keyId }) => keyId).join(", ");
      early ??= whole("foreign-key", `it is signed with ${others}, and not with a key that is trusted`);
    }
    believe = trustKeys(keys, tools.checkSignature);
    if (kept && header.keys.some(({ keyId }) => keyId === kept.keyId)) {
      const problem = distrust(kept, header.tenantId, believe);
      if (problem) early ??= { kind: "checkpoint-forged", sequence: kept.sequence, problem };
    }
  }

  /** Checkpoints are complete when the first entry or the trailer comes. */
  function beginEntries({ scope, tenantId }: ExportHeader): void {
    if (chain || proven || header === undefined) return;
    if (scope === "record") {
      const head = kept && { tenantId: kept.tenantId, sequence: kept.sequence, entryHash: kept.entryHash };
      const verifySignature = believe;
      chain = chainVerifier({ tenantId, digest, checkpoints, verifySignature, ...(head && { head }) });
      return;
    }
    proven = new ProvenEntries(header, checkpoints.at(-1), digest);
    for (const checkpoint of checkpoints) {
      const problem = distrust(checkpoint, tenantId, believe);
      if (problem) early ??= { kind: "checkpoint-forged", sequence: checkpoint.sequence, problem };
    }
    if (kept) early ??= checkKeptCheckpoint(header, checkpoints.at(-1), kept, tools);
  }

  function pushEntry(line: Uint8Array): boolean {
    beginEntries(header as ExportHeader);
    if (chain) {
      if (!endsWith(line, chainedEnd)) return false;
      const text = tools.readText(line.subarray(entryStart.length, line.length - chainedEnd.length));
      // Invalid base64 becomes an invalid entry.
      chain.push(tools.readBase64(text) ?? new Uint8Array([0]));
      return true;
    }
    const read = readProven(tools.readText(line));
    if (read === undefined && !includes(line, proofStart)) return false;
    const hashes = read?.proof.map((hash) => tools.readBase64(hash) ?? new Uint8Array()) ?? [];
    const entry = read && tools.readBase64(read.entry);
    proven?.push(entry ?? new Uint8Array([0]), hashes);
    return true;
  }

  function pushTrailer(line: Uint8Array): boolean {
    const read = readTrailer(tools.readText(line));
    if (read === undefined || trailer) return false;
    beginEntries(header as ExportHeader);
    const signature = tools.readBase64(read.signature);
    const own = sum.end();
    const isRight =
      sameHash(tools.readBase64(read.digest), own) &&
      signature !== undefined &&
      believe(trailerBytes(own), signature, read.keyId);
    trailer = isRight ? "right" : "wrong";
    return true;
  }

  function pushLine(line: Uint8Array): boolean {
    if (line.at(-1) !== lineFeed || trailer) return false;
    if (startsWith(line, entryStart)) return pushEntry(line);
    const text = tools.readText(line);
    if (text.startsWith(`{"${trailerKey}":`)) return pushTrailer(line);
    const checkpoint = readCheckpoint(text);
    if (checkpoint === undefined || chain || proven || checkpoints.length >= maxCheckpoints) return false;
    checkpoints.push(checkpoint);
    return true;
  }

  /** A fault of the whole file. */
  function whole(kind: FaultKind, problem: string): Fault {
    return { kind, sequence: BigInt(header?.sequences?.[0] ?? 1), problem };
  }

  return {
    push(line) {
      lines++;
      if (lines === 1) begin(line);
      else if (header && !pushLine(line)) damagedLine ??= lines;
      if (!trailer) sum.add(line);
    },
    end() {
      if (header === undefined) return undefined;
      beginEntries(header);
      const verdict = chain?.end();
      const entriesChecked = verdict?.entriesChecked ?? proven?.entriesChecked ?? 0n;
      const vouched = verdict?.valid ? verdict.vouchedThrough : 0n;
      const fault = early ?? faultOf(verdict) ?? proven?.end() ?? last(header, entriesChecked);
      return {
        valid: fault === undefined,
        header,
        entriesChecked,
        fault,
        vouchedThrough: proven ? (checkpoints.at(-1)?.sequence ?? 0n) : vouched,
        checkpoint: checkpoints.at(-1),
        keysAreTrusted: trusted !== undefined,
      };
    },
  };

  /** The fault of a file whose entries are valid as far as they go. */
  function last({ scope, entries }: ExportHeader, checked: bigint): Fault | undefined {
    const next = checked + 1n;
    if (damagedLine !== undefined) {
      return { kind: "file-changed", sequence: next, problem: `line ${damagedLine} cannot be read` };
    }
    if (checked < BigInt(entries)) {
      return {
        kind: "cut",
        sequence: next,
        problem: `${entries} entries were exported, and ${checked} are there`,
      };
    }
    if (checked > BigInt(entries)) {
      const problem = `${entries} entries were exported, and ${checked} are there`;
      return { kind: "inserted", sequence: BigInt(entries) + 1n, problem };
    }
    if (scope === "entry") return undefined;
    if (trailer === undefined)
      return { kind: "cut", sequence: next, problem: "the file ends before its trailer" };
    if (trailer === "right") return undefined;
    return whole("file-changed", "the file is not what was signed");
  }
}

function faultOf(verdict: ReturnType<ChainVerifier["end"]> | undefined): Fault | undefined {
  if (verdict === undefined || verdict.valid) return undefined;
  const { kind, firstBadSequence: sequence, problem } = verdict;
  return { kind, sequence, problem };
}

const lineFeed = 10;

function startsWith(line: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, at) => line[at] === byte);
}

function endsWith(line: Uint8Array, end: Uint8Array): boolean {
  return end.every((byte, at) => line[line.length - end.length + at] === byte);
}

function includes(line: Uint8Array, part: Uint8Array): boolean {
  for (let from = 0; from + part.length <= line.length; from++) {
    if (part.every((byte, at) => line[from + at] === byte)) return true;
  }
  return false;
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
