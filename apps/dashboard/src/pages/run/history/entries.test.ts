import { AttemptEnding, GetAttemptsResponseSchema, Outcome, TransitionSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { entriesOf } from "./entries.ts";

type Init = MessageInitShape<typeof TransitionSchema>;

const move = (
  revision: number,
  atMs: number,
  stageId: string,
  fromStatus: string,
  toStatus: string,
  more: Init = {},
) =>
  create(TransitionSchema, {
    ...{ revision: BigInt(revision), at: timestampFromMs(atMs), stageId, fromStatus, toStatus },
    ...more,
  });

describe("the history of a run", () => {
  it("[TUR-08] has one line per revision, with the reason", () => {
    const activity = create(GetAttemptsResponseSchema, {
      attempts: [
        {
          ...{ dispatchId: "p/review/1", stageId: "review", attemptNumber: 1 },
          ...{ ending: AttemptEnding.SENT_BACK, endedAt: timestampFromMs(20), reason: "accents get lost" },
        },
      ],
    });
    const [entry, ...rest] = entriesOf(
      [
        move(4, 20, "implement", "COMPLETED", "REJECTED"),
        move(4, 20, "implement", "REJECTED", "READY"),
        move(4, 20, "review", "DISPATCHED", "PENDING"),
      ],
      activity,
    );
    expect(rest).toEqual([]);
    expect(entry?.steps).toEqual([
      { stageId: "implement", statuses: ["COMPLETED", "REJECTED", "READY"] },
      { stageId: "review", statuses: ["DISPATCHED", "PENDING"] },
    ]);
    expect(entry?.target).toMatchObject({ revision: 4n, stageId: "implement", toStatus: "READY" });
    expect(entry?.reason).toBe("accents get lost");
  });

  it("[TUR-08] lists a retried attempt whose claim was disproved", () => {
    const activity = create(GetAttemptsResponseSchema, {
      attempts: [
        {
          ...{ dispatchId: "p/build/1", stageId: "build", attemptNumber: 1, outcome: Outcome.SUCCESS },
          ...{ ending: AttemptEnding.RETRIED, endedAt: timestampFromMs(15), reason: "tests: tests failed" },
        },
      ],
    });
    const entries = entriesOf(
      [move(2, 10, "build", "READY", "DISPATCHED"), move(5, 20, "build", "DISPATCHED", "COMPLETED")],
      activity,
    );
    expect(entries.map(({ key }) => key)).toEqual(["5", "p/build/1", "2"]);
    expect(entries[1]).toMatchObject({
      target: undefined,
      reason: "reported success, but the checks failed: tests: tests failed",
    });
  });

  it("[TUR-08] gives the recorded reason and who requested it", () => {
    const entries = entriesOf(
      [
        move(2, 10, "", "RUNNING", "PAUSED", { by: "ada", reason: "lunch" }),
        move(3, 20, "", "PAUSED", "RUNNING", { by: "ada", reason: "back again" }),
        move(4, 30, "build", "DISPATCHED", "READY", { reason: "its agent went away" }),
        move(5, 40, "test", "PENDING", "SKIPPED"),
        move(5, 40, "build", "READY", "FAILED", { reason: "no agent is left" }),
        move(6, 50, "docs", "PENDING", "READY"),
      ],
      undefined,
    );
    expect(entries.map(({ reason }) => reason)).toEqual([
      "",
      "no agent is left",
      "its agent went away",
      "by ada: back again",
      "by ada: lunch",
    ]);
  });

  it("[TUR-08] names the target, the person and the reason of a rewind", () => {
    const [entry] = entriesOf(
      [
        move(9, 30, "build", "COMPLETED", "PENDING", { rewoundTo: 3n, by: "ada", reason: "too fast" }),
        move(9, 30, "", "COMPLETED", "RUNNING", { rewoundTo: 3n, by: "ada", reason: "too fast" }),
      ],
      undefined,
    );
    expect(entry?.steps[0]?.stageId).toBe("");
    expect(entry?.reason).toBe("rewound to 3 by ada: too fast");
  });
});
