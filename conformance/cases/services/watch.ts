/** WatchEvents of OrchestratorService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { minimalEvent } from "../messages/event.ts";
import { missing } from "../missing.ts";
import { epoch, finishedAt } from "../parts.ts";
import { absent } from "../patch.ts";

const minimalRecord: JsonObject = { sequence: "1", event: minimalEvent };

export const watchCases: readonly Case[] = [
  valid("watch-events-request", "WatchEventsRequest", "Everything after a point.", {
    afterSequence: "41",
    filter: 'pipeline_id = "p-1" AND type = "TASK_TRANSITION"',
  }),
  valid("watch-events-request-from-the-start", "WatchEventsRequest", "After zero is everything there is.", {
    afterSequence: "0",
  }),
  valid(
    "watch-events-request-from-now",
    "WatchEventsRequest",
    "Absent is what happens next, which is not zero.",
    {},
  ),
  valid("watch-events-response-record", "WatchEventsResponse", "An event, with every field of its place.", {
    record: {
      sequence: "42",
      recordedAt: finishedAt,
      pipelineId: "p-1",
      stageId: "implement",
      dispatchId: "dispatch-1",
      event: minimalEvent,
    },
  }),
  valid("watch-events-response-record-withheld", "WatchEventsResponse", "An event that cannot be shown.", {
    record: { ...minimalRecord, withheld: { code: "BATON-AGENT-008", reason: "Too large", bytes: 5000000 } },
  }),
  valid("watch-events-response-record-withheld-hollow", "WatchEventsResponse", "Withheld, nobody says why.", {
    record: { ...minimalRecord, withheld: {} },
  }),
  valid(
    "watch-events-response-record-minimal",
    "WatchEventsResponse",
    "An event that belongs to no pipeline.",
    {
      record: minimalRecord,
    },
  ),
  valid(
    "watch-events-response-record-epoch",
    "WatchEventsResponse",
    "Stored at an instant with nothing in it.",
    {
      record: { ...minimalRecord, recordedAt: epoch },
    },
  ),
  valid("watch-events-response-caught-up", "WatchEventsResponse", "What follows happens now.", {
    caughtUp: { sequence: "42" },
  }),
  valid("watch-events-response-caught-up-hollow", "WatchEventsResponse", "Caught up with an empty stream.", {
    caughtUp: {},
  }),
  valid("watch-events-response-dropped", "WatchEventsResponse", "The watcher was too slow.", {
    dropped: { resumeAfterSequence: "42", reason: "Ten thousand events behind" },
  }),
  valid("watch-events-response-dropped-hollow", "WatchEventsResponse", "Dropped before the first event.", {
    dropped: {},
  }),
  ...breaks("WatchEventsRequest", {}, [
    ["after_sequence", "-1", "int64.gte", "A point before the beginning."],
  ]),
  ...breaks("WatchEventsResponse", { record: minimalRecord }, [
    ["record", absent, "required", "A response without an event.", { at: "message" }],
    ["record.sequence", "0", "int64.gte", "Events are counted from one."],
    ["record.event", absent, "required", "A record of nothing."],
    ["record.withheld.bytes", -1, "int32.gte", "Fewer than no bytes are withheld."],
  ]),
  ...breaks("WatchEventsResponse", {}, [
    ["caught_up.sequence", "-1", "int64.gte", "Caught up with a point before the beginning."],
    ["dropped.resume_after_sequence", "-1", "int64.gte", "Going on before the beginning."],
  ]),
  ...hollow("WatchEventsResponse", {}, [["record", missing.eventRecord]]),
  ...hollow("WatchEventsResponse", { record: { sequence: "1" } }, [["record.event", missing.event]]),
];
