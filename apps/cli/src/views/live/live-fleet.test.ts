import { describe, expect, it } from "vitest";
import { aPipeline, aQuestion, pipelineId } from "../../../testing/sample.ts";
import { Activities } from "../../story/activities.ts";
import { renderFleet } from "./live-fleet.ts";

const terminal = { isTerminal: true, canRedraw: true, rows: 30, colours: false, unicode: true };

describe("the picture of everything that is under way", () => {
  it("[TUR-05] says whole, at every width, what waits and how it is answered as it was called", () => {
    const fleet = {
      ...{ underWay: [aPipeline()], questions: new Map([[pipelineId, [aQuestion()]]]), spent: new Map() },
      ...{ activities: new Activities(), isAway: false, invocation: "npx baton" },
    };
    const wide = renderFleet({ ...terminal, columns: 100 }, fleet, 0).at(-1);
    expect(wide).toBe("1 run under way · 1 waits for a person: npx baton inbox · Ctrl-C ends the watching");
    const narrow = renderFleet({ ...terminal, columns: 60 }, fleet, 0).slice(-3);
    expect(narrow).toEqual([
      "1 run under way",
      "1 waits for a person: npx baton inbox",
      "Ctrl-C ends the watching",
    ]);
  });
});
