import { describe, expect, it } from "vitest";
import { routeOf, runAddress } from "./routes.ts";

describe("an address", () => {
  it.each([
    ["/", { page: "runs" }],
    ["/runs", { page: "runs" }],
    ["/runs/new", { page: "new" }],
    ["/runs/p-1", { page: "run", pipelineId: "p-1" }],
    ["/inbox", { page: "inbox" }],
    ["/agents", { page: "agents" }],
    ["/audit", { page: "audit" }],
    ["/policies", { page: "policies" }],
    ["/runs/p-1/more", { page: "missing" }],
    ["/elsewhere", { page: "missing" }],
    ["/runs/%E0%A4%A", { page: "run", pipelineId: "%E0%A4%A" }],
  ])("%s is a page", (path, route) => {
    expect(routeOf(path)).toEqual(route);
  });

  it("of a run leads back to it, for any id", () => {
    for (const id of ["p-1", "a b", "ä/ö?#"])
      expect(routeOf(runAddress(id).split("?")[0] ?? "")).toEqual({ page: "run", pipelineId: id });
  });
});
