import { EventSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Driver } from "../driver/driver.ts";
import { type Order, stageOf } from "../driver/order.ts";
import type { TellPulses } from "../evidence/pulses.ts";

/** Tells those who watch what a command of the gate prints, as events of the attempt that it checks (SAOP §2). */
export function tellPulses(
  { tenantId, pipelineId }: Pick<Order, "tenantId" | "pipelineId">,
  dispatchId: string,
  driver: Driver,
  uuid: () => string,
): TellPulses {
  const about = { tenantId, pipelineId, stageId: stageOf(dispatchId), dispatchId };
  return async (pulses) => {
    const timestamp = timestampFromMs(driver.nowMs);
    const told = pulses.map((pulse) => {
      const payload = { case: "sandboxPulse", value: { ...pulse, timestamp } } as const;
      return create(EventSchema, { eventId: uuid(), sessionId: pipelineId, payload });
    });
    await driver.publish({ ...about, events: told });
  };
}
