import { TaskEnvelopeSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { PendingCommand } from "../ports/stored-command.ts";
import { EgressFilter } from "../redaction/egress-filter.ts";
import { AgentConnections } from "./connections.ts";
import { HeldCancels } from "./held-cancels.ts";

const address = { tenantId: "acme", packId: "dev", instanceId: "dev-1" };
const dispatchId = "p1/code/1";
const command = {
  type: "send",
  dispatchId,
  instanceId: address.instanceId,
  envelope: create(TaskEnvelopeSchema, { execution: { dispatchId, attemptNumber: 1 } }),
} as const;

/** Connections with an envelope that waits for its agent since before a restart, and the outcomes of its delivery. */
function connectionsWithEnvelope() {
  const connections = new AgentConnections(
    new HeldCancels(() => () => {}),
    new EgressFilter(),
    async (_tenantId, envelope) => envelope,
  );
  const outcomes: string[] = [];
  connections.update({ kind: "began", dispatchId, ...address });
  const order: PendingCommand = {
    id: 1,
    tenantId: "acme",
    pipelineId: "p1",
    traceId: "t1",
    command,
    again: true,
  };
  connections.send(order, command, {
    sent: () => outcomes.push("sent"),
    failed: (reason) => outcomes.push(reason),
    away: (reason) => outcomes.push(reason),
  });
  return { connections, outcomes };
}

describe("an envelope that waits for its agent to come back", () => {
  it("[PIP-11] is dropped when the attempt is over, and its command is done", () => {
    const { connections, outcomes } = connectionsWithEnvelope();
    expect(outcomes).toEqual([]);
    connections.update({ kind: "ended", dispatchId, ...address });
    expect(outcomes).toEqual(["sent"]);
    expect(connections.underWay(address)).toEqual([]);
  });

  it("[PIP-11] is forgotten when the engine recovers from the store", () => {
    const { connections, outcomes } = connectionsWithEnvelope();
    connections.forgetAttempts();
    expect(connections.underWay(address)).toEqual([]);
    connections.update({ kind: "ended", dispatchId, ...address });
    expect(outcomes).toEqual([]);
  });
});
