import { join, resolve } from "node:path";
import type { GitWorkspacesOptions } from "@baton/runtime";
import type { Given } from "./given.ts";

const policies = ["never", "failed", "always"] as const;

/** Without a folder, the hub makes one where temporary things are: it keeps everything in memory. */
export type OwnPlaces = Omit<GitWorkspacesOptions, "folder"> & { readonly folder: string | undefined };

/** Reads `workspaces:`. */
export function readOwnPlaces(given: Given, fileFolder: string, data: string | undefined): OwnPlaces {
  const said = given.only(["folder", "keep", "keep_for", "places", "bytes", "place_bytes"]);
  const folder = said.at("folder");
  const whole = (key: string) => (said.at(key).isThere ? said.at(key).whole() : undefined);
  const keep = said.at("keep");
  const policy = policies.find((one) => one === keep.value);
  if (keep.isThere && policy === undefined)
    keep.complain(
      `"${String(keep.value)}" says nothing of what is kept`,
      `use one of: ${policies.join(", ")}`,
    );
  const [maxWorkspaces, maxBytes, maxWorkspaceBytes] = ["places", "bytes", "place_bytes"].map(whole);
  const usual = data === undefined ? undefined : join(data, "workspaces");
  return {
    folder: folder.isThere ? resolve(fileFolder, folder.text()) : usual,
    ...(policy && { keep: policy }),
    ...(said.at("keep_for").isThere && { keepForMs: said.at("keep_for").durationMs() }),
    ...(maxWorkspaces !== undefined && { maxWorkspaces }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxWorkspaceBytes !== undefined && { maxWorkspaceBytes }),
  };
}
