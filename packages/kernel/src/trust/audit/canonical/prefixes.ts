/** The prefixes of hashed and signed bytes (C1 in canonical.ts). */
export const entryPrefix = ascii("baton/audit-entry/1\0");
export const checkpointPrefix = ascii("baton/audit-checkpoint/1\0");

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
