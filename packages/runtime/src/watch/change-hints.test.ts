import { describe, expect, it } from "vitest";
import type { Batch } from "../ports/store.ts";
import { type ChangeHint, ChangeHints } from "./change-hints.ts";

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
  it("[TUR-04] reaches only listeners of the tenant, with its subject", () => {
    const changeHints = new ChangeHints();
    const received: ChangeHint[] = [];
    const stop = changeHints.listen("a", (changeHint) => received.push(changeHint));
    changeHints.publish(
      batch({ pipelineId: "p-1", tenantId: "a" }, { pipelineId: "p-2", tenantId: "b" }),
      new Set(),
    );
    changeHints.publish(batch({ pipelineId: "p-3", tenantId: "a", escalations: 1 }), new Set(["a"]));
    changeHints.publish(batch({ pipelineId: "p-4", tenantId: "b", escalations: 1 }), new Set(["b"]));
    expect(received).toEqual([
      { pipelines: ["p-1"], inbox: false, fleet: false },
      { pipelines: ["p-3"], inbox: true, fleet: true },
    ]);
    stop();
    changeHints.publish(batch({ pipelineId: "p-5", tenantId: "a" }), new Set());
    expect(received).toHaveLength(2);
  });
});
