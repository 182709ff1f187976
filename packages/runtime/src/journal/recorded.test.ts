import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replay } from "@baton/kernel";
import { describe, expect, it } from "vitest";
import { type RecordedJournal, summaryOf } from "../../testing/recorded-journal.ts";
import { readRecords, storedForm } from "./codec.ts";
import { ContentFinder } from "./contents.ts";

const folder = join(import.meta.dirname, "../../testing/journals");

describe.each(Array.from({ length: storedForm }, (_, form) => `form-${form + 1}`))(
  "journals of %s",
  (form) => {
    const names = readdirSync(join(folder, form));

    it("are kept", () => expect(names.length).toBeGreaterThan(3));

    it.each(names)("[PIP-11] %s still means what it meant when it was recorded", (name) => {
      const journal: RecordedJournal = JSON.parse(readFileSync(join(folder, form, name), "utf8"));
      const contents = new Map(
        Object.entries(journal.contents).map(([digest, text]) => [digest, Buffer.from(text, "base64")]),
      );
      const finder = new ContentFinder(contents);
      const records = journal.texts.flatMap((text) => readRecords(text, finder));
      const state = replay(records);
      if (!state) throw new Error("a journal tells of a pipeline");
      expect(summaryOf(state, records)).toEqual(journal.expected);
    });
  },
);
