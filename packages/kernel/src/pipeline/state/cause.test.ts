import { EscalationKind, EscalationSnapshotSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { causeOf } from "./cause.ts";

describe("the cause of a question", () => {
  it("[OBS-05] is shortened without leaving a part of a secret", () => {
    const token = `pypi-AgE${"Qz7Wx04ijk3".repeat(12)}`;
    const before = "so it is ".repeat(26);
    const problem = `${before}${token}`;
    const cause = causeOf(
      EscalationKind.FAILURE,
      create(EscalationSnapshotSchema, { problem, blocking: true }),
    );
    expect(cause).toContain(before.trimEnd());
    expect(cause).not.toContain("pypi-");
    expect(cause.length).toBeLessThanOrEqual(256);
  });
});
