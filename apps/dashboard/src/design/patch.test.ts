import { describe, expect, it } from "vitest";
import { readPatch } from "./patch.ts";

describe("a patch", () => {
  it("is split into files with counts of added and removed lines", () => {
    const patch = [
      "diff --git a/slug.js b/slug.js",
      "index 1111111..2222222 100644",
      "--- a/slug.js",
      "+++ b/slug.js",
      "@@ -1,2 +1,2 @@",
      " same",
      "-old",
      "+new",
      "\\ No newline at end of file",
      "diff --git a/logo.png b/logo.png",
      "new file mode 100644",
      "Binary files /dev/null and b/logo.png differ",
      "",
    ].join("\n");
    expect(readPatch(patch)).toEqual([
      {
        path: "slug.js",
        added: 1,
        removed: 1,
        hunks: [
          [
            { kind: "note", text: "@@ -1,2 +1,2 @@" },
            { kind: "same", text: "same" },
            { kind: "del", text: "old" },
            { kind: "add", text: "new" },
            { kind: "note", text: "No newline at end of file" },
          ],
        ],
      },
      { path: "logo.png", added: 0, removed: 0, hunks: [] },
    ]);
  });

  it("keeps lines that look like file headers", () => {
    const patch = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n---- x\n++++ y\n";
    const [file] = readPatch(patch);
    expect(file?.hunks[0]).toEqual([
      { kind: "note", text: "@@ -1 +1 @@" },
      { kind: "del", text: "--- x" },
      { kind: "add", text: "+++ y" },
    ]);
  });

  it("has no files when it is empty", () => {
    expect(readPatch("")).toEqual([]);
  });
});
