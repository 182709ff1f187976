import { Outcome } from "@baton/contract";
import { type PipelineRecord, replay } from "@baton/kernel";
import { anyHappening, anyPipeline, inputFor, Run, stages } from "@baton/kernel/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storedKinds } from "../ports/stored-command.ts";
import { readCommand, readRecords, storedForm, writeCommand, writeRecords } from "./codec.ts";
import { ContentFinder, ContentKeeper } from "./contents.ts";
import { longestInlineText } from "./stored-value.ts";

/** A journal: texts one after another, and the contents they share. */
class Journal {
  readonly texts: string[] = [];
  readonly contents = new Map<string, Uint8Array>();

  append(records: readonly PipelineRecord[]): void {
    const keeper = new ContentKeeper();
    this.texts.push(writeRecords(records, keeper));
    for (const { digest, bytes } of keeper.contents) this.contents.set(digest, bytes);
  }

  read(): readonly PipelineRecord[] {
    const finder = new ContentFinder(this.contents);
    return this.texts.flatMap((text) => readRecords(text, finder));
  }
}

/** Too long to stand in the text. */
const longTask = {
  contract: { taskId: "t", title: "Do it", acceptanceCriteria: ["it is done ".repeat(100)] },
};

const everyType: readonly PipelineRecord["type"][] = [
  "created",
  "started",
  "unblocked",
  "pruned",
  "waited",
  "dispatched",
  "received",
  "disregarded",
  "observed",
  "review-requested",
  "asked",
  "retried",
  "completed",
  "failed",
  "skipped",
  "rejected",
  "ended-early",
  "paused",
  "resumed",
  "aborted",
  "pipeline-failed",
  "pipeline-completed",
  "deadline-passed",
  "escalated",
  "resolved",
];

describe("a journal", () => {
  it("[PIP-11] reads back as it was written, whatever happened to whichever pipeline", () => {
    const seen = new Set<string>();
    const happenings = fc.array(anyHappening(), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(anyPipeline(), happenings, (pipeline, things) => {
        const run = new Run(pipeline);
        const journal = new Journal();
        let written = 0;
        for (const thing of [undefined, ...things]) {
          const input = thing && inputFor(run, thing);
          if (input) run.give(input);
          if (run.records.length > written) journal.append(run.records.slice(written));
          written = run.records.length;
        }
        const read = journal.read();
        expect(read).toEqual(run.records);
        const { plan: _, ...state } = replay(read) ?? {};
        const { plan: _plan, ...expected } = run.state ?? {};
        expect(state).toEqual(expected);
        for (const { type } of read) seen.add(type);
        for (const command of run.commands) {
          if (!storedKinds.some((kind) => kind === command.type)) continue;
          const keeper = new ContentKeeper();
          const text = writeCommand(command, keeper);
          const contents = new Map(keeper.contents.map(({ digest, bytes }) => [digest, bytes]));
          expect(readCommand(text, new ContentFinder(contents))).toEqual(command);
        }
      }),
      { numRuns: 80, seed: 8 },
    );
    expect(everyType.filter((type) => !seen.has(type))).toEqual([]);
  });

  it("reads back also what comes up seldom", () => {
    const seldom: readonly PipelineRecord[] = [
      { type: "end-withdrawn", reset: [0, 2], atMs: 1 },
      { type: "deadline-waived", atMs: 2 },
      { type: "flags-approved", stage: 0, atMs: 3 },
      { type: "left", stage: 1, attempt: 2, commit: "c0ffee", atMs: 4 },
    ];
    const journal = new Journal();
    journal.append(seldom);
    expect(journal.read()).toEqual(seldom);
  });

  it("keeps what users write as they wrote it, whatever they call it", () => {
    const oddKeys = [
      "$message",
      "$text",
      "$number",
      "$plain",
      "$typeName",
      "__proto__",
      "constructor",
      "toJSON",
      "",
    ];
    const name = fc.oneof(fc.constantFrom(...oddKeys), fc.string());
    const long = fc.constant("long ".repeat(100));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        fc.oneof(fc.string(), long, fc.double(), fc.boolean(), fc.constant(null)),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.array(fc.tuple(name, tie("tree")), { maxLength: 4 }).map((entries) =>
          JSON.parse(`{${entries.map(([key]) => `${JSON.stringify(key)}:null`).join(",")}}`, (key, value) => {
            const found = entries.findLast(([one]) => one === key);
            return found && value === null ? found[1] : value;
          }),
        ),
      ),
    }));
    const inputs = fc.record({ whole: tree, $typeName: fc.constantFrom("vasini.agent.v1.Ref", "x", "") });
    fc.assert(
      fc.property(inputs, (given) => {
        const record = { type: "unblocked", stage: 0, inputs: given as never, atMs: 1 } as const;
        const journal = new Journal();
        journal.append([record]);
        const [read] = journal.read();
        expect(read).toEqual(record);
        expect(JSON.stringify(read)).toBe(JSON.stringify(record));
      }),
      { numRuns: 300 },
    );
  });

  it("keeps a long text and a message once, however often they are named", () => {
    const run = new Run({ task: longTask });
    const [created] = run.records;
    if (created?.type !== "created") throw new Error("a run begins with its creation");
    const reason = "so ".repeat(1_000);
    const journal = new Journal();
    for (let atMs = 0; atMs < 50; atMs++) journal.append([created, { type: "paused", reason, atMs }]);
    expect(journal.contents.size).toBe(2);
    expect(journal.read()).toHaveLength(100);
  });

  it("keeps a contract once, however many stages and attempts are given it", () => {
    const run = new Run({ task: longTask, stages: stages({ a: {}, b: {}, c: {} }) });
    for (const stage of ["a", "b", "c"]) run.answer(stage);
    const journal = new Journal();
    for (const record of run.records) journal.append([record]);
    expect(journal.read()).toEqual(run.records);
    const { length } = "it is done ".repeat(100);
    expect([...journal.contents.values()].filter((bytes) => bytes.length > length)).toHaveLength(1);
    const [first, ...others] = journal.read().flatMap((record) => ("envelope" in record ? [record] : []));
    expect(others).toHaveLength(2);
    for (const { envelope } of others) expect(envelope.contract).toBe(first?.envelope.contract);
  });

  it("does not grow with the length of what agents write", () => {
    const sizes = [1_000, 100_000].map((length) => {
      const run = new Run();
      const text = "x".repeat(length);
      run.answer("a", {
        status: {
          outcome: Outcome.NON_RETRYABLE_FAILURE,
          summary: text,
          failureReason: text,
          failureCode: text,
        },
      });
      const journal = new Journal();
      journal.append(run.records);
      expect(journal.read()).toEqual(run.records);
      return journal.texts.join("").length;
    });
    expect(sizes[0]).toBe(sizes[1]);
  });

  it("has short texts in itself, and longer ones by their digest", () => {
    const journal = new Journal();
    const paused = (length: number) => ({ type: "paused", reason: "x".repeat(length), atMs: 1 }) as const;
    journal.append([paused(longestInlineText)]);
    expect(journal.contents.size).toBe(0);
    journal.append([paused(longestInlineText + 1)]);
    expect(journal.contents.size).toBe(1);
  });

  it("of a later version of Baton is not read as if it were of this one", () => {
    const text = JSON.stringify({ form: storedForm + 1, content: [] });
    expect(() => readRecords(text, new ContentFinder(new Map()))).toThrow(
      `stored in form ${storedForm + 1}, and this version of Baton reads up to form ${storedForm}`,
    );
  });

  it("whose contents are gone says which one", () => {
    const run = new Run({ task: longTask });
    const text = writeRecords(run.records, new ContentKeeper());
    expect(() => readRecords(text, new ContentFinder(new Map()))).toThrow(/no content with digest [\w-]{43}/);
  });
});
