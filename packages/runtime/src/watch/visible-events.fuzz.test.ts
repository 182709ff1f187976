import { EventRecordSchema, EventSchema, encodeJson, JsonWriter } from "@baton/contract";
import { createRedactor, type RedactionPolicy } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type UnstoredEvent, writeEvents } from "../events/stored-events.ts";
import { EgressFilter } from "../redaction/egress-filter.ts";
import { type Bundle, type EventList, VisibleEvents, WholeBundle } from "./visible-events.ts";

const runs = { numRuns: Number(process.env.BATON_FUZZ_RUNS) };

const everything = { all: true, pipelineId: undefined, about: () => true, whole: () => true };
/** The same events for a watcher that wants some, who is given each as a message that has passed the filter. */
const oneByOne = { ...everything, all: false };

const secret = "ghp_2F9oa4HLXc6Ju1e8Ry3goVB5LsZDJPw28mTa";
const anyName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("one", "two", "build", "", "p-2rztegcgcmraqtervsk3") },
  { weight: 2, arbitrary: fc.constantFrom(secret, `x ${secret}`, "415-555-2671", "ada@example.org") },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('"', "\\", "\n", "é", "😀", "\ud800", "x".repeat(2_000)) },
);
const anyMoved = fc.record(
  {
    pipelineId: anyName,
    stageId: anyName,
    dispatchId: anyName,
    from: anyName,
    to: anyName,
    commit: anyName,
  },
  { requiredKeys: ["pipelineId", "stageId", "dispatchId", "from", "to"] },
);
const anyAgentEvent = fc
  .record({ pipelineId: anyName, stageId: anyName, dispatchId: anyName, text: anyName })
  .map(
    ({ text, ...about }): UnstoredEvent => ({
      ...about,
      event: create(EventSchema, {
        eventId: "e",
        sessionId: "s",
        payload: { case: "thoughtStream", value: { chunk: text.toWellFormed() } },
      }),
    }),
  );
const anyBundle = fc
  .array(
    fc.tuple(
      fc.array(fc.oneof({ weight: 3, arbitrary: anyMoved }, anyAgentEvent), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 0, max: 4_000_000_000_000 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((rows): Bundle => {
    let last = 0n;
    return rows.map(([events, atMs]) => {
      const firstSequence = last + 1n;
      last += BigInt(events.length);
      return { tenantId: "local", firstSequence, lastSequence: last, atMs, events: writeEvents(events) };
    });
  });

function filterBy(policy?: RedactionPolicy): EgressFilter {
  const made = createRedactor({ personalData: "everywhere", ...(policy && { policy }) });
  if (!made.ok) throw new Error("a policy of the test is wrong");
  return new EgressFilter({ redactor: made.redactor });
}

const masked = (field: string): RedactionPolicy => ({ alwaysRedact: [field], conditionalRedact: [] });
const filters = [
  filterBy(),
  ...["pipeline_id", "stage_id", "task_id", "event_id", "session_id", "to_state", "git_hash"].map((field) =>
    filterBy(masked(`**/*.${field}`)),
  ),
  ...[
    "**/*.timestamp",
    "event_record.recorded_at",
    "**/*.sequence",
    "**/*.seconds",
    "event_record.event",
  ].map((path) => filterBy(masked(path))),
];

function jsonOf(events: EventList): readonly string[] {
  const writer = new JsonWriter();
  const texts: string[] = [];
  if (!(events instanceof WholeBundle)) throw new Error("it is not written by itself");
  events.writeJson(
    writer,
    () => writer.clear(),
    () => texts.push(writer.since(0)),
  );
  return texts;
}

const recordsOf = (events: EventList) =>
  [...events].flatMap(({ message }) => (message.case === "record" ? [message.value] : []));

describe("what everybody is shown", () => {
  it("[TUR-04] [OBS-05] is what each would be shown by itself, as messages and as JSON", () => {
    const property = fc.property(anyBundle, fc.constantFrom(...filters), (bundle, filter) => {
      const visible = new VisibleEvents(filter);
      const expected = recordsOf(visible.of(bundle, 0n, oneByOne));
      const whole = visible.of(bundle, 0n, everything);
      expect(jsonOf(whole)).toEqual(expected.map((record) => encodeJson(EventRecordSchema, record)));
      expect(recordsOf(whole)).toEqual(expected);
    });
    fc.assert(property, runs);
  });

  it("[OBS-05] has no secret in it that came to be known since it was stored", () => {
    const known = "correct horse battery";
    const moved = { pipelineId: "p", stageId: known, dispatchId: `p/${known}/1`, from: "A", to: "B" };
    const bundle = [
      { tenantId: "local", firstSequence: 1n, lastSequence: 1n, atMs: 1, events: writeEvents([moved]) },
    ];
    const filter = filterBy();
    const visible = new VisibleEvents(filter);
    expect(jsonOf(visible.of(bundle, 0n, everything)).join()).toContain(known);
    const made = createRedactor({ knownSecrets: [known] });
    if (made.ok) filter.use(made.redactor);
    expect(jsonOf(visible.of([...bundle], 0n, everything)).join()).not.toContain(known);
    expect(JSON.stringify(recordsOf(visible.of([...bundle], 0n, everything)).map(String))).not.toContain(
      known,
    );
  });
});
