import { randomBytes } from "node:crypto";
import { expect, it, vi } from "vitest";
import { IdCipher } from "./id-cipher.ts";
import { StoreCipher } from "./store-cipher.ts";

it("remembers an id of the usual length, and none that is so long that many of them would fill the memory", () => {
  const cipher = new StoreCipher(randomBytes(32));
  const [encrypting, decrypting] = [vi.spyOn(cipher, "encryptId"), vi.spyOn(cipher, "decryptId")];
  const ids = new IdCipher(cipher);
  for (const [id, times] of [
    ["timeout of a stage", 1],
    ["x".repeat(2_000), 3],
  ] as const) {
    encrypting.mockClear();
    decrypting.mockClear();
    for (let time = 0; time < 3; time++) expect(ids.decrypt(ids.encrypt(id))).toBe(id);
    expect([encrypting, decrypting].map(({ mock }) => mock.calls.length)).toEqual([times, times]);
  }
});
