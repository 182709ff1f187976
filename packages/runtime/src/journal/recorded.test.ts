import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type PipelineRecord, replay } from "@baton/kernel";
import { describe, expect, it } from "vitest";
import { type RecordedJournal, summaryOf } from "../../testing/recorded-journal.ts";
import { readRecords, storedForm, writeRecords } from "./codec.ts";
import { ContentFinder, ContentKeeper } from "./contents.ts";

/** All that there are: one that is left out, or that is none, does not compile. */
const every: Readonly<Record<PipelineRecord["type"], true>> = {
  created: true,
  "taken-over": true,
  started: true,
  unblocked: true,
  pruned: true,
  "edges-decided": true,
  waited: true,
  dispatched: true,
  prepared: true,
  received: true,
  guarded: true,
  "files-seen": true,
  disregarded: true,
  observed: true,
  stepped: true,
  kept: true,
  left: true,
  "review-requested": true,
  asked: true,
  retried: true,
  completed: true,
  failed: true,
  skipped: true,
  rejected: true,
  "ended-early": true,
  "end-withdrawn": true,
  paused: true,
  resumed: true,
  aborted: true,
  "pipeline-failed": true,
  "pipeline-completed": true,
  "deadline-passed": true,
  "deadline-waived": true,
  restored: true,
  escalated: true,
  resolved: true,
  "flags-approved": true,
  "limits-changed": true,
  "labels-changed": true,
  overridden: true,
  aligned: true,
  "cache-missed": true,
  served: true,
  "tool-used": true,
  "outcome-stored": true,
};

/** Kinds that came with a later form: no journal of an earlier one has them. */
const laterKinds: Readonly<Record<string, readonly PipelineRecord["type"][]>> = {
  "form-1": [
    ...(["edges-decided", "guarded", "files-seen", "stepped"] as const),
    ...(["limits-changed", "labels-changed", "overridden", "aligned"] as const),
    ...(["cache-missed", "served", "tool-used", "outcome-stored"] as const),
  ],
};

const folder = join(import.meta.dirname, "../../testing/journals");

function journalOf(form: string, name: string): RecordedJournal {
  return JSON.parse(readFileSync(join(folder, form, name), "utf8"));
}

function recordsOf({ texts, contents }: Omit<RecordedJournal, "expected">): readonly PipelineRecord[] {
  const bytes = Object.entries(contents).map(
    ([digest, text]) => [digest, Buffer.from(text, "base64")] as const,
  );
  const finder = new ContentFinder(new Map(bytes));
  return texts.flatMap((text) => readRecords(text, finder));
}

describe.each(Array.from({ length: storedForm }, (_, form) => `form-${form + 1}`))(
  "journals of %s",
  (form) => {
    const names = readdirSync(join(folder, form));

    it("are kept", () => expect(names.length).toBeGreaterThan(3));

    it("[PIP-11] have every kind of record, so that none can change unseen", () => {
      const seen = new Set(names.flatMap((name) => recordsOf(journalOf(form, name)).map(({ type }) => type)));
      const missing = Object.keys(every).filter((type) => !seen.has(type as PipelineRecord["type"]));
      expect(missing).toEqual(laterKinds[form] ?? []);
    });

    it.each(names)("[PIP-11] %s still means what it meant when it was recorded", (name) => {
      const journal = journalOf(form, name);
      const records = recordsOf(journal);
      const state = replay(records);
      if (!state) throw new Error("a journal describes a pipeline");
      const { contracts, ...summary } = summaryOf(state, records);
      expect(contracts).not.toContain("none");
      const hasContracts = journal.expected.contracts !== undefined;
      expect(hasContracts ? { ...summary, contracts } : summary).toEqual(journal.expected);
    });

    it.each(names)("[PIP-11] %s goes on in the form of now", (name) => {
      const { texts, contents } = journalOf(form, name);
      const records = recordsOf(journalOf(form, name));
      const earlier = texts.slice(0, Math.ceil(texts.length / 2));
      const before = recordsOf({ texts: earlier, contents });
      const keeper = new ContentKeeper();
      const later = writeRecords(records.slice(before.length), keeper);
      const added = keeper.contents.map(
        ({ digest, bytes }) => [digest, Buffer.from(bytes).toString("base64")] as const,
      );
      const all = { ...contents, ...Object.fromEntries(added) };
      expect(recordsOf({ texts: [...earlier, later], contents: all })).toEqual(records);
    });
  },
);
