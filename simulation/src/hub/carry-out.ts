import type { Environment, Ref, TaskEnvelope } from "@baton/contract";
import type { Command, OpenEscalation, PipelineInput, Refreshed, Verification } from "../kernel.ts";
import type { Hub } from "./hub.ts";
import type { OutboxEntry } from "./store.ts";

/** What the hub can reach. Nobody promises that a message arrives, or arrives once. */
export interface Outside {
  send(instanceId: string, envelope: TaskEnvelope, notDelivered: (reason: string) => void): void;
  cancel(instanceId: string, dispatchId: string): void;
  requestReview(pipelineId: string, stageId: string, dispatchId: string): void;
  askPerson(pipelineId: string, escalation: OpenEscalation): void;
  /** These two the hub does itself: they end, or the hub ends first. */
  readAgain(refs: readonly Ref[], done: (refs: readonly Refreshed[]) => void): void;
  verify(dispatchId: string, environment: Environment | undefined, done: (seen: Verification) => void): void;
}

/** Does what a command says. True when it is done; false when only its answer will show that it is. */
export function carryOut(hub: Hub, entry: OutboxEntry, again: boolean): boolean {
  const { pipelineId, command } = entry;
  const { outside, store, watch } = hub;
  watch.leaving(pipelineId, command);
  const give = (input: PipelineInput) => hub.soon(0, () => hub.give(pipelineId, input, entry));
  switch (command.type) {
    case "send":
      return send(hub, entry, command, again);
    case "cancel":
      outside.cancel(command.instanceId, command.dispatchId);
      return true;
    case "set-timer": {
      const { timerId, atMs } = command;
      startTimer(hub, store.setTimer({ pipelineId, timerId, atMs }));
      return true;
    }
    case "clear-timer":
      store.dropTimer(pipelineId, command.timerId);
      return true;
    case "refresh": {
      const { stageId, attempt } = command;
      outside.readAgain(command.refs, (refs) => give({ type: "refreshed", stageId, attempt, refs }));
      return false;
    }
    case "verify": {
      const { dispatchId, environment } = command;
      outside.verify(dispatchId, environment, (verification) =>
        give({ type: "verified", dispatchId, verification }),
      );
      return false;
    }
    case "request-review":
      outside.requestReview(pipelineId, command.stageId, command.dispatchId);
      return true;
    case "ask-person":
      outside.askPerson(pipelineId, command.escalation);
      return true;
    case "tell-fleet":
      hub.fleetDesk.hear(command.news);
      return true;
  }
}

/** What the fleet refused must not leave. Whether it left in an earlier life nobody knows: then the agent is lost. */
function send(
  hub: Hub,
  entry: OutboxEntry,
  { instanceId, envelope, dispatchId }: Extract<Command, { type: "send" }>,
  again: boolean,
): boolean {
  const reason = hub.fleetDesk.refusals.get(dispatchId);
  const fail = (input: PipelineInput) => hub.soon(0, () => hub.give(entry.pipelineId, input, entry));
  if (reason !== undefined) {
    fail({ type: again ? "agent-lost" : "not-delivered", dispatchId, reason });
    return false;
  }
  let failed = false;
  hub.outside.send(instanceId, envelope, (why) => {
    failed = true;
    fail({ type: again ? "agent-lost" : "not-delivered", dispatchId, reason: why });
  });
  return !failed;
}

/** Rings from the stored row, once, at times too early. The row goes when the hub has taken what it means. */
export function startTimer(hub: Hub, key: string): void {
  const row = hub.store.timers.get(key);
  if (!row) return;
  const leftMs = row.atMs - hub.sim.clock.nowMs;
  const isEarly = leftMs > 1 && hub.sim.faults.strikes("timer rings early");
  hub.soon(isEarly ? leftMs / 2 : leftMs, () => {
    if (hub.store.timers.get(key) !== row) return;
    hub.give(row.pipelineId, { type: "timer", timerId: row.timerId });
  });
}
