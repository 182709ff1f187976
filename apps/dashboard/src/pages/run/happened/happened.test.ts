import { AttemptEnding, AttemptSummarySchema, GateSnapshotSchema, Outcome } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { disproofOf, happeningsOf, wordsOf } from "./happened.ts";

const attempt = (
  stageId: string,
  attemptNumber: number,
  endedMs: number,
  more: MessageInitShape<typeof AttemptSummarySchema>,
) =>
  create(AttemptSummarySchema, {
    dispatchId: `p/${stageId}/${attemptNumber}`,
    ...{ stageId, attemptNumber, sentAt: timestampFromMs(endedMs - 5), endedAt: timestampFromMs(endedMs) },
    ...more,
  });
const { ACCEPTED, ANSWERED, CANCELLED, FAILED, REJECTED, RETRIED, SENT_BACK } = AttemptEnding;
const { PARTIAL, RETRYABLE_FAILURE, SUCCESS } = Outcome;

describe("what happened", () => {
  const tellAll = (...attempts: ReturnType<typeof attempt>[]) =>
    happeningsOf(attempts).map((happening) => {
      const { did, why } = wordsOf(happening);
      const of = happening.work ? ` of ${happening.work.dispatchId}` : "";
      return `${happening.attempt.dispatchId} ${did}${of}${why}`;
    });

  it("is nothing where everything was accepted, goes on or was called off", () => {
    expect(
      tellAll(
        attempt("a", 1, 10, { ending: ACCEPTED, outcome: SUCCESS }),
        attempt("b", 1, 20, { ending: CANCELLED }),
        attempt("c", 1, 30, {}),
      ),
    ).toEqual([]);
  });

  it("is the claim that did not hold, and the rejection with whose work it was and why, in order", () => {
    const reason = "accented letters get lost";
    expect(
      tellAll(
        attempt("implement", 1, 10, { ending: RETRIED, outcome: SUCCESS, reason: "tests: tests failed" }),
        attempt("implement", 2, 20, { ending: REJECTED, outcome: SUCCESS, reason }),
        attempt("review", 1, 30, { ending: SENT_BACK, outcome: PARTIAL, reason }),
        attempt("implement", 3, 40, { ending: ACCEPTED, outcome: SUCCESS }),
      ),
    ).toEqual([
      "p/implement/1 said that it was done, and that did not hold: tests: tests failed",
      "p/review/1 rejected the work of p/implement/2: accented letters get lost",
    ]);
  });

  it("tells of two rejections for the same reason whose work each was", () => {
    const reason = "too long";
    expect(
      tellAll(
        attempt("write", 1, 10, { ending: REJECTED, reason }),
        attempt("review", 1, 20, { ending: SENT_BACK, reason }),
        attempt("write", 2, 30, { ending: REJECTED, reason }),
        attempt("review", 2, 40, { ending: SENT_BACK, reason }),
      ),
    ).toEqual([
      "p/review/1 rejected the work of p/write/1: too long",
      "p/review/2 rejected the work of p/write/2: too long",
    ]);
  });

  it("is what a person rejected, what failed, and what was asked", () => {
    expect(
      tellAll(
        attempt("a", 1, 10, { ending: REJECTED, outcome: SUCCESS, reason: "not like this" }),
        attempt("b", 1, 20, { ending: RETRIED, outcome: RETRYABLE_FAILURE, reason: "out of memory" }),
        attempt("b", 2, 30, { ending: FAILED }),
        attempt("c", 1, 40, { ending: ANSWERED, reason: "answered: blue" }),
      ),
    ).toEqual([
      "p/a/1 was rejected in review: not like this",
      "p/b/1 was tried again: out of memory",
      "p/b/2 failed",
      "p/c/1 asked, and was answered: blue",
    ]);
  });
});

describe("a claim that was disproved", () => {
  const tell = (claimed: string, printed: string, exitCode = 1) =>
    disproofOf(
      create(GateSnapshotSchema, {
        checks: [
          { gateName: "scope", passed: true },
          {
            gateName: "tests",
            disproved: true,
            claim: { command: "node --test", passed: true, output: claimed },
            run: { command: "node --test", output: printed, exitCode },
          },
        ],
      }),
    );

  it.each([
    ["# tests 2\n# pass 1\n# fail 1\n# cancelled 0\n", "1 failed"],
    ["Tests: 3 failed, 4 passed\nTime: 2 s", "3 failed"],
    ["Failures: 2", "2 failed"],
    ["Segmentation fault", "it ended with 1"],
  ])("is told beside what the hub saw in %j", (printed, seen) => {
    expect(tell("2 tests, 2 pass\nand more", printed)).toBe(
      `the claim “2 tests, 2 pass” did not hold: the hub ran node --test, ${seen}`,
    );
  });

  it("is told where there are no words for it", () => {
    expect(tell("", "", -1)).toBe(
      "the claim that tests passes did not hold: the hub ran node --test, it did not end by itself",
    );
    expect(disproofOf(undefined)).toBe("");
  });
});
