import { createHash } from "node:crypto";
import { openInside } from "./open-inside.ts";

export type DigestedInside =
  | { readonly ok: true; readonly digest: string; readonly bytes: number }
  | {
      readonly ok: false;
      readonly missing: boolean;
      readonly tooLarge?: boolean;
      readonly reason: string;
    };

/** Digest (`sha256:hex`) of a file below a folder, by a path that an agent reported. */
export async function digestInside(
  folder: string,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<DigestedInside> {
  const opened = await openInside(folder, path);
  if (!opened.ok) return opened;
  const { file } = opened;
  const reason = `it has more than ${maxBytes} bytes, the limit of one file`;
  const tooLarge = { ok: false, missing: false, tooLarge: true, reason } as const;
  try {
    if (opened.bytes > maxBytes) return tooLarge;
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of file.createReadStream({ autoClose: false, signal })) {
      bytes += chunk.length;
      if (bytes > maxBytes) return tooLarge;
      hash.update(chunk);
    }
    return { ok: true, digest: `sha256:${hash.digest("hex")}`, bytes };
  } finally {
    await file.close();
  }
}
