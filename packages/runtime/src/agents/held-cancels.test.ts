import { CancelAgentRequestSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { HeldCancels } from "./held-cancels.ts";

it("[PIP-11] drops the oldest cancel beyond the limit", () => {
  const held = new HeldCancels(() => () => {}, { holdMs: 1_000, max: 2 });
  const done: string[] = [];
  for (const dispatchId of ["one", "two", "three"]) {
    const request = create(CancelAgentRequestSchema, { dispatchId });
    held.hold(held.begin(`acme\n${dispatchId}`, request, () => done.push(dispatchId)));
  }
  expect(done).toEqual(["one"]);
  expect(held.take("acme\none")).toEqual([]);
  expect(held.take("acme\nthree").map(({ request }) => request.dispatchId)).toEqual(["three"]);
});

it("[PIP-11] expires a cancel by its first attempt, not by its retries", () => {
  let ring = () => {};
  const held = new HeldCancels(
    (_, callback) => {
      ring = callback;
      return () => {};
    },
    { holdMs: 1_000, max: 2 },
  );
  const done: string[] = [];
  const request = create(CancelAgentRequestSchema, { dispatchId: "one" });
  held.hold(held.begin("acme\ndev-1", request, () => done.push("one")));
  const [cancel] = held.take("acme\ndev-1");
  ring();
  expect(done).toEqual(["one"]);
  if (cancel) held.hold(cancel);
  expect(held.take("acme\ndev-1")).toEqual([]);
});
