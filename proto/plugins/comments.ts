import type { AnyDesc, DescFile } from "@bufbuild/protobuf";
import { getComments } from "@bufbuild/protoplugin";

/** The comment above an element. Lines are only wrapped in the source, so they are joined; a blank line stays one. */
export function commentOf(element: Exclude<AnyDesc, DescFile>): string {
  const lines = (getComments(element).leading ?? "").split("\n").map((line) => line.trim());
  return lines
    .join("\n")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim().replaceAll("\n", " "))
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}
