import { describe, expect, it } from "vitest";
import { testTask } from "../../testing/pipelines.ts";
import { judgeResubmission } from "./resubmission.ts";

describe("the same idempotency key", () => {
  it("[DIS-15] with the same content is the same task", () => {
    expect(judgeResubmission(testTask(), testTask())).toBeUndefined();
  });

  it("[DIS-15] with other content is refused", () => {
    expect(judgeResubmission(testTask(), testTask({ patchSizeLimit: 5 }))).toMatchObject({
      code: "BATON-PIPELINE-005",
      message: '"key-1" was used for another task',
    });
  });
});
