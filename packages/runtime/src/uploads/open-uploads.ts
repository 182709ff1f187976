import { join } from "node:path";
import { systemClock } from "../ports/clock.ts";
import { openStoreKey } from "../stores/sqlite/crypto/text-cipher.ts";
import { type UploadOptions, Uploads } from "./uploads.ts";

/** Opens the uploads in the folder of a store, with its key. Throws `StoreUnavailable` when the key is unusable. */
export function openUploads(
  directory: string,
  options: Pick<UploadOptions, "settings" | "onProblem"> & { readonly key?: string | undefined },
): Uploads {
  const { key, ...rest } = options;
  const folder = join(directory, "uploads");
  return new Uploads({ ...rest, folder, key: openStoreKey(directory, key), clock: systemClock() });
}
