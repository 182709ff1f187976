/**
 * The contents of a transition are concatenated in its row. The directory lists the digest and the length of each, separated by
 * spaces.
 */
import type { Content } from "../../../ports/store.ts";
import { damage } from "../errors.ts";

export interface PackedContents {
  readonly directory: string;
  readonly bytes: Uint8Array;
}

/** Characters of 32 bytes in base64url. */
const digestLength = 43;

export function directoryOf(contents: readonly Content[]): string {
  if (contents.length === 0) return "";
  return contents.map(({ digest, bytes }) => `${digest}${bytes.length}`).join(" ");
}

export function unpackContents({ directory, bytes }: PackedContents): Content[] {
  let end = 0;
  const contents = entriesOf(directory).map((entry) => {
    const start = end;
    end += Number(entry.slice(digestLength));
    return { digest: entry.slice(0, digestLength), bytes: bytes.subarray(start, end) };
  });
  if (end !== bytes.length) throw damage("a journal row", "its contents are not as long as it says");
  return contents;
}

/** The bytes of all contents in a directory. */
export function contentBytesIn(directory: string): number {
  let length = 0;
  for (const entry of entriesOf(directory)) length += Number(entry.slice(digestLength));
  return length;
}

export function digestsIn(directory: string): string[] {
  return entriesOf(directory).map((entry) => entry.slice(0, digestLength));
}

function entriesOf(directory: string): string[] {
  return directory === "" ? [] : directory.split(" ");
}
