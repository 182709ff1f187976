/**
 * The contents that came with a transition lie one after another in its row. The directory says what they are: digest and
 * length of each, with a space between two.
 */
import type { Content } from "../../ports/store.ts";
import { damage } from "./errors.ts";
import { joinBytes } from "./join-bytes.ts";

export interface PackedContents {
  readonly directory: string;
  readonly bytes: Uint8Array;
}

/** Characters of 32 bytes in base64url. */
const digestLength = 43;

const nothing: PackedContents = { directory: "", bytes: new Uint8Array() };

/** The bytes hold until the next call. */
export function packContents(contents: readonly Content[]): PackedContents {
  if (contents.length === 0) return nothing;
  const directory = contents.map(({ digest, bytes }) => `${digest}${bytes.length}`).join(" ");
  return { directory, bytes: joinBytes(contents.map(({ bytes }) => bytes)) };
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

export function digestsIn(directory: string): string[] {
  return entriesOf(directory).map((entry) => entry.slice(0, digestLength));
}

function entriesOf(directory: string): string[] {
  return directory === "" ? [] : directory.split(" ");
}
