import { TaskEnvelopeSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { Order } from "../driver/order.ts";
import { Filter } from "../filter/filter.ts";
import { HeldCancels } from "./held-cancels.ts";
import { Switchboard } from "./switchboard.ts";

const address = { tenantId: "acme", packId: "dev", instanceId: "dev-1" };
const dispatchId = "p1/code/1";
const command = {
  type: "send",
  dispatchId,
  instanceId: address.instanceId,
  envelope: create(TaskEnvelopeSchema, { execution: { dispatchId, attemptNumber: 1 } }),
} as const;

/** A board on which an envelope of an earlier life waits for its agent, and what was told of it. */
function boardThatHolds() {
  const board = new Switchboard(new HeldCancels(() => () => {}), new Filter());
  const told: string[] = [];
  board.hear({ kind: "began", dispatchId, ...address });
  const order: Order = { id: 1, tenantId: "acme", pipelineId: "p1", traceId: "t1", command, again: true };
  board.send(order, command, {
    sent: () => told.push("sent"),
    failed: (reason) => told.push(reason),
  });
  return { board, told };
}

describe("an envelope that waits for its agent to come back", () => {
  it("[PIP-11] waits no longer when the attempt is over: its command is done, and does not stay for ever", () => {
    const { board, told } = boardThatHolds();
    expect(told).toEqual([]);
    board.hear({ kind: "ended", dispatchId, ...address });
    expect(told).toEqual(["sent"]);
    expect(board.underWay(address)).toEqual([]);
  });

  it("[PIP-11] is forgotten with the attempts when the hub begins anew from its store", () => {
    const { board, told } = boardThatHolds();
    board.forgetAttempts();
    expect(board.underWay(address)).toEqual([]);
    board.hear({ kind: "ended", dispatchId, ...address });
    expect(told).toEqual([]);
  });
});
