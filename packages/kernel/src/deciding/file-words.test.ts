import { ArtifactAction, FileDiffSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { changeWarnings, fileNotes, fileWord } from "./file-words.ts";

const { CREATED, DELETED, MODIFIED } = ArtifactAction;
const file = (init: Exclude<MessageInitShape<typeof FileDiffSchema>, { $typeName: string }>) =>
  create(FileDiffSchema, { path: "a.js", ...init });

describe("a file of a change", () => {
  it.each([
    [{ action: CREATED, newMode: "100644" }, "new", []],
    [{ action: CREATED, newMode: "100755" }, "new", ["executable"]],
    [{ action: CREATED, newMode: "160000" }, "new", ["repository"]],
    [{ action: MODIFIED, oldMode: "100644", newMode: "100755" }, "changed", ["executable, was file"]],
    [{ action: MODIFIED, oldMode: "100644", newMode: "120000" }, "changed", ["link, was file"]],
    [{ action: MODIFIED, oldPath: "b.js", oldMode: "100644", newMode: "100644" }, "renamed", []],
    [{ action: DELETED, oldMode: "100755" }, "deleted", []],
    [{ binary: true, hiddenCharacters: 1 }, "changed", ["binary", "1 hidden character"]],
    [{ linesLeftOut: 2 }, "changed", ["2 changed lines not shown"]],
  ] as const)("%j is described", (init, word, notes) => {
    expect([fileWord(file(init)), fileNotes(file(init))]).toEqual([word, notes]);
  });

  it("[PIP-06] is warned of when it hides something, or is a test that was there before", () => {
    const files = [
      file({ action: CREATED, test: true }),
      file({ action: DELETED, test: true }),
      file({ action: MODIFIED, binary: true, hiddenCharacters: 2 }),
    ];
    expect(changeWarnings({ files, filesLeftOut: 1, linesLeftOut: 3 })).toEqual([
      "2 characters cannot be seen or change the direction of text: each is written out as its code.",
      "1 test file that existed before was changed or removed.",
      "1 binary file was changed: the content is not shown.",
      "1 more file was changed and not listed.",
      "3 changed lines are not shown.",
    ]);
    expect(changeWarnings({ files: [file({})], filesLeftOut: 0, linesLeftOut: 0 })).toEqual([]);
  });
});
