import { describe, expect, it } from "vitest";
import type { Batch } from "../ports/store.ts";
import { type Stir, Stirs } from "./stirs.ts";

function batch(
  ...transitions: readonly { pipelineId: string; tenantId: string; escalations?: number }[]
): Batch {
  return {
    transitions: transitions.map(({ pipelineId, tenantId, escalations = 0 }) => ({
      pipelineId,
      row: { tenantId },
      escalations: Array.from({ length: escalations }),
    })),
    audit: [],
  } as unknown as Batch;
}

describe("what has changed", () => {
  it("[TUR-04] is told to those of the tenant alone, with what it is about", () => {
    const stirs = new Stirs();
    const heard: Stir[] = [];
    const stop = stirs.listen("a", (stir) => heard.push(stir));
    stirs.publish(
      batch({ pipelineId: "p-1", tenantId: "a" }, { pipelineId: "p-2", tenantId: "b" }),
      new Set(),
    );
    stirs.publish(batch({ pipelineId: "p-3", tenantId: "a", escalations: 1 }), new Set(["a"]));
    stirs.publish(batch({ pipelineId: "p-4", tenantId: "b", escalations: 1 }), new Set(["b"]));
    expect(heard).toEqual([
      { pipelines: ["p-1"], inbox: false, fleet: false },
      { pipelines: ["p-3"], inbox: true, fleet: true },
    ]);
    stop();
    stirs.publish(batch({ pipelineId: "p-5", tenantId: "a" }), new Set());
    expect(heard).toHaveLength(2);
  });
});
