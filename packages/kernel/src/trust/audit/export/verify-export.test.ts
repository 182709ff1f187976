import { createHash, generateKeyPairSync, hash, sign, verify } from "node:crypto";
import { type AuditEntry, AuditEntrySchema } from "@baton/contract";
import { toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyIdOf } from "../key.ts";
import { inclusionProof } from "../merkle/inclusion.ts";
import { nodesFromEntries } from "../merkle/node-hashes.ts";
import { checkpointAt, sampleRecord, tenantId } from "../testing/sample-record.ts";
import { checkpointLine, entryLine, headerLine, trailerBytes, trailerLine } from "./format.ts";
import { type ExportTools, exportVerifier } from "./verify-export.ts";

const digest = (bytes: Uint8Array) => hash("sha256", bytes, "buffer");
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
const keyId = keyIdOf(raw, digest);
const signed = (bytes: Uint8Array) => sign(null, bytes, privateKey);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

const tools: ExportTools = {
  digest,
  startDigest: () => {
    const sum = createHash("sha256");
    return { add: (bytes) => void sum.update(bytes), end: () => sum.digest() };
  },
  checkSignature: (key, bytes, signature) => raw.equals(key) && verify(null, bytes, publicKey, signature),
  readText: (bytes) => Buffer.from(bytes).toString("utf8"),
  readBase64: (text) => {
    const bytes = Buffer.from(text, "base64");
    return bytes.toString("base64") === text ? bytes : undefined;
  },
};

const count = 9;
const record = sampleRecord(count, digest);
const keys = [{ keyId, publicKey: base64(raw) }];
const hashAt = nodesFromEntries((leaf) => record.entries[Number(leaf)]?.entryHash ?? raw, digest);

/** Signed with the key of this test, whose id the record of the samples does not have. */
function checkpoint() {
  const made = checkpointAt(record, count, digest, signed);
  const named = { ...made, keyId };
  return { ...named, signature: signed(tools.digest(new Uint8Array())) };
}

function line(entry: AuditEntry, isProven: boolean): string {
  const bytes = base64(toBinary(AuditEntrySchema, entry));
  if (!isProven) return entryLine(bytes);
  return entryLine(bytes, inclusionProof(entry.sequence - 1n, BigInt(count), hashAt, digest).map(base64));
}

function withTrailer(lines: readonly string[]): readonly string[] {
  const sum = digest(Buffer.from(lines.join("")));
  return [
    ...lines,
    trailerLine({ digest: base64(sum), keyId, signature: base64(signed(trailerBytes(sum))) }),
  ];
}

/** A file without checkpoints, which a record may have: its trailer covers it. */
const whole = withTrailer([
  headerLine({ scope: "record", tenantId, entries: count, keys }),
  ...record.entries.map((entry) => line(entry, false)),
]);

function check(lines: readonly (string | Uint8Array)[]) {
  const verifier = exportVerifier(tools);
  for (const one of lines) verifier.push(Buffer.from(one));
  return verifier.end();
}

describe("[OBS-04] an exported file from anywhere", () => {
  it("is valid as it was signed", () => {
    expect(check(whole)).toMatchObject({ valid: true, entriesChecked: BigInt(count) });
  });

  it("gets a verdict and never an exception, whatever its lines and their order", () => {
    const known = [
      ...whole,
      checkpointLine(checkpoint()),
      ...record.entries.map((entry) => line(entry, true)),
    ];
    const headers = (["record", "pipeline", "entry"] as const).map((scope) =>
      headerLine({
        ...{ scope, tenantId, entries: 3, keys },
        ...(scope === "pipeline" && { pipelineId: "pipeline-1" }),
        ...(scope !== "record" && { sequences: [1, 2, 3] }),
      }),
    );
    const anyLine = fc.oneof(
      fc.constantFrom(...known),
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((json) => `${json}\n`),
      fc
        .constantFrom(...known)
        .chain((text) => fc.nat(text.length - 1).map((at) => `${text.slice(0, at)}${text.slice(at + 1)}`)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...headers), fc.array(anyLine, { maxLength: 20 }), (header, lines) => {
        expect(check([header, ...lines])?.valid).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 4 }), (lines) => {
        expect(check(lines)?.valid ?? false).toBe(false);
      }),
    );
  });

  it("shows every line that is missing, repeated or moved", () => {
    const inside = fc.integer({ min: 1, max: whole.length - 1 });
    fc.assert(
      fc.property(inside, inside, (one, other) => {
        expect(check(whole.toSpliced(one, 1))?.valid).toBe(false);
        expect(check(whole.toSpliced(one, 0, whole[other] ?? ""))?.valid).toBe(false);
        if (one === other) return;
        const swapped = whole.with(one, whole[other] ?? "").with(other, whole[one] ?? "");
        expect(check(swapped)?.valid).toBe(false);
      }),
    );
  });
});
