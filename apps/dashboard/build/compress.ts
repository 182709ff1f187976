import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Writes a `.gz` and a `.br` beside every file, so that the hub does not compress responses. */
export async function compressAll(folder: string): Promise<{ files: number; compressedBytes: number }> {
  const names = globSync("**/*.*", { cwd: folder });
  const sizes = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = readFileSync(path);
      const [gz, br] = await Promise.all([
        promisify(gzip)(content, { level: 9 }),
        promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      ]);
      writeFileSync(`${path}.gz`, gz);
      writeFileSync(`${path}.br`, br);
      return gz.length;
    }),
  );
  return { files: names.length, compressedBytes: sizes.reduce((sum, size) => sum + size, 0) };
}
