import { AttemptEnding, AttemptSummarySchema, GateSnapshotSchema, Outcome } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { disproofOf, setbacksOf, wordsOf } from "./setbacks.ts";

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

describe("the setbacks of a run", () => {
  const describeAll = (...attempts: ReturnType<typeof attempt>[]) =>
    setbacksOf(attempts).map((setback) => {
      const { did, why } = wordsOf(setback);
      const of = setback.work ? ` of ${setback.work.dispatchId}` : "";
      return `${setback.attempt.dispatchId} ${did}${of}${why}`;
    });

  it("are none when attempts were accepted, are running or were cancelled", () => {
    expect(
      describeAll(
        attempt("a", 1, 10, { ending: ACCEPTED, outcome: SUCCESS }),
        attempt("b", 1, 20, { ending: CANCELLED }),
        attempt("c", 1, 30, {}),
      ),
    ).toEqual([]);
  });

  it("are the disproved claim and the rejection with the rejected attempt and the reason, in order", () => {
    const reason = "accented letters get lost";
    expect(
      describeAll(
        attempt("implement", 1, 10, { ending: RETRIED, outcome: SUCCESS, reason: "tests: tests failed" }),
        attempt("implement", 2, 20, { ending: REJECTED, outcome: SUCCESS, reason }),
        attempt("review", 1, 30, { ending: SENT_BACK, outcome: PARTIAL, reason }),
        attempt("implement", 3, 40, { ending: ACCEPTED, outcome: SUCCESS }),
      ),
    ).toEqual([
      "p/implement/1 reported success, but the checks failed: tests: tests failed",
      "p/review/1 rejected the work of p/implement/2: accented letters get lost",
    ]);
  });

  it("match two rejections for the same reason to their attempts", () => {
    const reason = "too long";
    expect(
      describeAll(
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

  it("include rejections by a person, failures and questions", () => {
    expect(
      describeAll(
        attempt("a", 1, 10, { ending: REJECTED, outcome: SUCCESS, reason: "not like this" }),
        attempt("b", 1, 20, { ending: RETRIED, outcome: RETRYABLE_FAILURE, reason: "out of memory" }),
        attempt("b", 2, 30, { ending: FAILED }),
        attempt("c", 1, 40, { ending: ANSWERED, reason: "answered: blue" }),
      ),
    ).toEqual([
      "p/a/1 was rejected in review: not like this",
      "p/b/1 was retried: out of memory",
      "p/b/2 failed",
      "p/c/1 asked and was answered: blue",
    ]);
  });
});

describe("a disproved claim", () => {
  const describeClaim = (claimed: string, printed: string, exitCode = 1) =>
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
    ["Segmentation fault", "exit code 1"],
  ])("is quoted beside the failures in %j", (printed, seen) => {
    expect(describeClaim("2 tests, 2 pass\nand more", printed)).toBe(
      `the claim “2 tests, 2 pass” was disproved: the hub ran node --test, ${seen}`,
    );
  });

  it("is described without an output", () => {
    expect(describeClaim("", "", -1)).toBe(
      "the claim that tests passes was disproved: the hub ran node --test, it did not exit",
    );
    expect(disproofOf(undefined)).toBe("");
  });
});
