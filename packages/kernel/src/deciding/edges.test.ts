import { EdgeDecisionSchema, EdgeKind } from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { describeEdge } from "./edges.ts";

it.each([
  [{ taken: true }, 'edge from "a": taken'],
  [
    {
      ...{ reason: "its condition is false", condition: "response.data.score > 0.8 && nodes['c-1'].ran" },
      values: { response: { data: { score: 0.3 } }, "c-1": { ran: true } },
    },
    "edge from \"a\": not taken, its condition is false; condition response.data.score > 0.8 && nodes['c-1'].ran " +
      '(response.data.score = 0.3, nodes["c-1"].ran = true)',
  ],
  [{ kind: EdgeKind.ERROR, reason: '"a" did not fail' }, 'error edge from "a": not taken, "a" did not fail'],
  [
    { kind: EdgeKind.BACK, taken: true, timesTaken: 1, maxTimes: 2, reason: "name the date" },
    'edge back to "b": taken (1 of 2): name the date',
  ],
])("[SAC-05] describes the decision about an edge %#", (init, text) => {
  expect(describeEdge(create(EdgeDecisionSchema, { fromStageId: "a", toStageId: "b", ...init }))).toBe(text);
});
