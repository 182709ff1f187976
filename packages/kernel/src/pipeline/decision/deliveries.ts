import type { RunEvent } from "../../webhook-policy.ts";
import { endEvents } from "../../webhook-policy.ts";
import type { World } from "../../world.ts";
import type { Delivery } from "../state/delivery.ts";
import type { PipelineState } from "../state/state.ts";
import type { Command } from "./command.ts";

interface Happened {
  readonly event: RunEvent;
  readonly questions: readonly string[];
}

/** What a decision has to be reported of. Runs that review other runs are part of these. */
export function deliveriesOf(
  before: PipelineState | undefined,
  after: PipelineState,
  { notifications = [], nowMs }: Pick<World, "notifications" | "nowMs">,
): readonly Command[] {
  if (before === after || after.reviewOf) return [];
  const addresses = replyAddresses(after);
  if (addresses.length === 0 && notifications.length === 0) return [];
  return eventsBetween(before, after).flatMap(({ event, questions }) => {
    const about = { event, questions, version: after.version, sinceMs: nowMs };
    const toAddresses = addresses.flatMap((address, index): readonly Delivery[] => {
      if (!wantsReply(after, event)) return [];
      const deliveryId = `${after.id}/${after.version}/${event}/reply ${index}`;
      return [{ deliveryId, receiver: { kind: "address", address }, ...about }];
    });
    const toRules = notifications.flatMap(({ name, events }): readonly Delivery[] => {
      if (!events.includes(event)) return [];
      const deliveryId = `${after.id}/${after.version}/${event}/notify ${name}`;
      return [{ deliveryId, receiver: { kind: "notification", name }, ...about }];
    });
    return [...toAddresses, ...toRules].map((delivery) => ({ type: "deliver", delivery }) as const);
  });
}

/** Addresses that the task wants its results at. */
export function replyAddresses({ task }: Pick<PipelineState, "task">): readonly string[] {
  return [...task.replyTo, ...(task.governance?.replyTo ?? []).filter(isWebAddress)];
}

/** Other routes of governed tasks, such as those of a bus in the process, are not the hub's to deliver. */
function isWebAddress(address: string): boolean {
  return /^https?:/i.test(address);
}

/** The end is always reported; what comes before only to those who ask for it (SAP-03). */
function wantsReply({ task }: PipelineState, event: RunEvent): boolean {
  return endEvents.includes(event) || task.replyProgress || task.governance?.deepTrace === true;
}

function eventsBetween(before: PipelineState | undefined, after: PipelineState): readonly Happened[] {
  const happened: Happened[] = [];
  const status = after.life.status;
  const raised = [...after.escalations.values()].filter(
    ({ id, delivery }) => delivery === undefined && !before?.escalations.has(id),
  );
  const isAnswered = isWaiting(before) && !isWaiting(after);
  if (status === "RUNNING" && raised.length === 0 && (before?.life.status !== "RUNNING" || isAnswered))
    happened.push({ event: "running", questions: [] });
  if (raised.length > 0) happened.push({ event: "waiting", questions: raised.map(({ id }) => id) });
  if (status !== before?.life.status) {
    if (status === "COMPLETED") happened.push({ event: "completed", questions: [] });
    if (status === "FAILED") happened.push({ event: "failed", questions: [] });
    if (status === "ABORTED") happened.push({ event: "aborted", questions: [] });
  }
  return happened;
}

/** Questions about deliveries hold nothing up. */
function isWaiting(state: PipelineState | undefined): boolean {
  if (!state) return false;
  for (const { delivery } of state.escalations.values()) if (!delivery) return true;
  return false;
}
