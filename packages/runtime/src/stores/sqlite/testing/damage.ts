/** Damages the file of a closed store. */
import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { cipherOf } from "../crypto/adopt-key.ts";
import { cipherSizes } from "../crypto/store-cipher.ts";
import { storeFiles } from "../files.ts";
import { bytes as bytesOf } from "../format/columns.ts";

const pageBytes = 4096;
const headerBytes = 100;
/** The first byte of a page with entries of an index, or with rows of a table. */
const kinds = { index: 0x0a, row: 0x0d } as const;

/** Flips a bit at every occurrence of a text, in pages of a kind or in all pages. */
export function flipBitIn(directory: string, text: string, where?: keyof typeof kinds): void {
  const { database } = storeFiles(directory);
  const bytes = readFileSync(database);
  let flipped = 0;
  for (const wanted of [Buffer.from(text), ...encryptedForms(directory, text)]) {
    for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
      const page = Math.floor(at / pageBytes) * pageBytes;
      const kind = bytes[page === 0 ? headerBytes : page];
      if (where !== undefined && kind !== kinds[where]) continue;
      const last = at + wanted.length - 1;
      bytes[last] = (bytes[last] ?? 0) ^ 1;
      flipped++;
    }
  }
  if (flipped === 0) throw new Error(`"${text}" is nowhere in ${database}`);
  writeFileSync(database, bytes);
}

/** The ciphertexts of a text in journal rows. */
function encryptedForms(directory: string, text: string): readonly Uint8Array[] {
  const files = storeFiles(directory);
  const db = new DatabaseSync(files.database, { readOnly: true });
  try {
    const cipher = cipherOf(db, files);
    const rows = db.prepare("SELECT sealed FROM journal WHERE sealed IS NOT NULL").all();
    return rows.flatMap((row) => {
      const sealed = bytesOf(row.sealed);
      const at = cipher.decrypt(sealed).indexOf(text);
      const start = at + cipherSizes.counter;
      return at < 0 ? [] : [sealed.subarray(start, start + Buffer.byteLength(text))];
    });
  } finally {
    db.close();
  }
}
