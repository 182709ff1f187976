/** Ways to damage the file of a store that is closed. */
import { readFileSync, writeFileSync } from "node:fs";
import { storeFiles } from "../files.ts";

const pageBytes = 4096;
const headerBytes = 100;
/** The first byte of a page that holds entries of an index, and rows of a table. */
const kinds = { index: 0x0a, row: 0x0d } as const;

/** Turns around one bit behind every place where a text stands in pages of a kind, or in any page. */
export function flipBitIn(directory: string, text: string, where?: keyof typeof kinds): void {
  const { database } = storeFiles(directory);
  const bytes = readFileSync(database);
  let flipped = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
    const page = Math.floor(at / pageBytes) * pageBytes;
    const kind = bytes[page === 0 ? headerBytes : page];
    if (where !== undefined && kind !== kinds[where]) continue;
    const last = at + text.length - 1;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    flipped++;
  }
  if (flipped === 0) throw new Error(`"${text}" is nowhere in ${database}`);
  writeFileSync(database, bytes);
}
