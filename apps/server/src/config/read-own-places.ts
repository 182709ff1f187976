import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { GitWorkspacesOptions } from "@baton/runtime";
import type { Given } from "./given.ts";

const policies = ["never", "failed", "always"] as const;

/** Reads `workspaces:`. A hub that keeps everything in memory makes its places where temporary things are. */
export function readOwnPlaces(
  given: Given,
  fileFolder: string,
  data: string | undefined,
): GitWorkspacesOptions {
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
  const [mostPlaces, mostBytes, mostPlaceBytes] = ["places", "bytes", "place_bytes"].map(whole);
  const usual = data === undefined ? join(tmpdir(), `baton-${process.pid}`) : data;
  return {
    folder: folder.isThere ? resolve(fileFolder, folder.text()) : join(usual, "workspaces"),
    ...(policy && { keep: policy }),
    ...(said.at("keep_for").isThere && { keepForMs: said.at("keep_for").durationMs() }),
    ...(mostPlaces !== undefined && { mostPlaces }),
    ...(mostBytes !== undefined && { mostBytes }),
    ...(mostPlaceBytes !== undefined && { mostPlaceBytes }),
  };
}
