import { ActorType, GateCheckStatus, GateSnapshotSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { isUnchecked } from "./nothing-checked.ts";

const { NOT_APPLICABLE, PASSED } = GateCheckStatus;

describe("a result that was taken as it came", () => {
  const asked = (...statuses: GateCheckStatus[]) => statuses.map((status) => ({ gateName: "tests", status }));
  const gate = (parts: Parameters<typeof create<typeof GateSnapshotSchema>>[1]) =>
    create(GateSnapshotSchema, { passed: true, checks: asked(NOT_APPLICABLE, NOT_APPLICABLE), ...parts });

  it("[PIP-06] is one of which nothing was checked, and that nobody has looked at", () => {
    expect(isUnchecked(gate({}))).toBe(true);
    expect(isUnchecked(gate({ reviewer: { type: ActorType.ORCHESTRATOR, id: "baton" } }))).toBe(true);
  });

  it.each([
    ["a check applied", { checks: asked(NOT_APPLICABLE, PASSED) }],
    ["a person has reviewed it", { reviewer: { type: ActorType.HUMAN, id: "ada" } }],
    ["an agent has reviewed it", { reviewer: { type: ActorType.AGENT, id: "critic" } }],
    ["it did not pass", { passed: false }],
  ])("[PIP-06] is none where %s", (_, parts) => {
    expect(isUnchecked(gate(parts))).toBe(false);
  });
});
