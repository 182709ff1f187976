import { describe, expect, it } from "vitest";
import { submission, testTask } from "../../../testing/pipelines.ts";
import { Run } from "../../../testing/run.ts";
import { checkResubmission } from "./resubmission.ts";

describe("the same idempotency key", () => {
  it("[DIS-15] with the same content is the same task", () => {
    expect(checkResubmission(testTask(), testTask())).toBeUndefined();
  });

  it("[DIS-15] with the same content in another order is the same task", () => {
    const first = testTask({ inputs: { a: 1, b: { c: 2, d: [3] } } });
    expect(checkResubmission(first, testTask({ inputs: { b: { d: [3], c: 2 }, a: 1 } }))).toBeUndefined();
    expect(checkResubmission(first, testTask({ inputs: { a: 1, b: { c: 2, d: [4] } } }))).toBeDefined();
  });

  it("[DIS-15] with other content is refused by the pipeline that has it", () => {
    const run = new Run();
    expect(run.give(submission({ task: { patchSizeLimit: 5 } }))).toEqual([
      'refused: "key-1" was used for another task',
    ]);
    expect(run.give(submission())).toEqual([]);
  });

  it("[DIS-15] with other content is refused", () => {
    expect(checkResubmission(testTask(), testTask({ patchSizeLimit: 5 }))).toMatchObject({
      code: "BATON-PIPELINE-005",
      message: '"key-1" was used for another task',
    });
  });
});
