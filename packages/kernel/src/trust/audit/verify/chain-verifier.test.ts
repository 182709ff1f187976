import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { VerifySignature } from "../checkpoint.ts";
import type { Digest } from "../digest.ts";
import { tenantId } from "../testing/sample-record.ts";
import { bad, count, verifying } from "../testing/verifying.ts";
import { chainVerifier, verifyChain } from "./chain-verifier.ts";

const digest: Digest = (bytes) => createHash("sha256").update(bytes).digest();
const sign = (bytes: Uint8Array) => createHmac("sha256", "secret").update(bytes).digest();
const verifySignature: VerifySignature = (bytes, signature, keyId) =>
  keyId === "key-1" && sign(bytes).equals(signature);
const { at, checkpoint, entries, frontiers, options, verify } = verifying({ digest, verifySignature }, sign);

describe("a record that nobody touched", () => {
  it("[OBS-04] is valid, and states its end", () => {
    expect(verify(entries, { checkpoints: [checkpoint(9), checkpoint(20)] })).toEqual({
      valid: true,
      entriesChecked: BigInt(count),
      head: { tenantId, sequence: BigInt(count), entryHash: at(count).entryHash },
      frontier: frontiers[count],
      vouchedThrough: 20n,
    });
    expect(verify([])).toMatchObject({ valid: true, entriesChecked: 0n, vouchedThrough: 0n });
  });

  it("[OBS-04] may go on after the head that was kept", () => {
    const head = { tenantId, sequence: 10n, entryHash: at(10).entryHash };
    expect(verify(entries, { head })).toMatchObject({ valid: true, vouchedThrough: 10n });
  });
});

describe("the verifier, entry by entry", () => {
  it("[OBS-04] reports at once that there is a fault, and later which one", () => {
    const verifier = chainVerifier(options);
    expect(verifier.push(at(1))).toBe(true);
    expect(verifier.push(at(3))).toBe(false);
    expect(verifier.end()).toMatchObject(bad(2, "removed"));
    expect(verifier.push(at(2))).toBe(false);
    expect(verifier.end()).toMatchObject(bad(2, "reordered"));
  });

  it("[OBS-04] hashes each entry once, and once more for the tree", () => {
    let calls = 0;
    const counting: Digest = (bytes) => {
      calls += 1;
      return digest(bytes);
    };
    verifyChain(entries, { ...options, digest: counting });
    expect(calls).toBe(count);
    verifyChain(entries, { ...options, digest: counting, growTree: true });
    expect(calls - count).toBeLessThanOrEqual(2 * count);
  });
});
