import type { PipelineInput, RefreshOutcome, Verification } from "@baton/kernel";
import type { Switchboard } from "../agents/switchboard.ts";
import { tellPulses } from "../events/tell-pulses.ts";
import type { ReferenceReader, Verifier } from "../ports/outside.ts";
import type { Driver } from "./driver.ts";
import type { Order } from "./order.ts";

export interface Hands {
  readonly switchboard: Switchboard;
  readonly verifier: Verifier;
  readonly references: ReferenceReader;
  readonly uuid: () => string;
  /** Fires when the hub closes: what is not done by then is done in its next life. */
  readonly signal: AbortSignal;
}

const unread: RefreshOutcome = { ok: false, reason: "it could not be read" };

/** Does what a stored command says. It is crossed off when it is done, or with its answer. */
export function carryOut(
  { switchboard, verifier, references, signal, uuid }: Hands,
  order: Order,
  driver: Driver,
): void {
  const { id, pipelineId, command } = order;
  const answer = (input: PipelineInput) => void driver.give(pipelineId, input, { answers: id });
  switch (command.type) {
    case "send":
      switchboard.send(order, command, {
        sent: () => driver.crossOff(id),
        failed: (reason) => {
          // Whether it left in an earlier life of the hub nobody knows.
          const type = order.again ? "agent-lost" : "not-delivered";
          answer({ type, dispatchId: command.dispatchId, reason });
        },
      });
      return;
    case "cancel":
      switchboard.cancel(order, command, () => driver.crossOff(id));
      return;
    case "verify": {
      const { dispatchId } = command;
      const seen = (verification: Verification) => answer({ type: "verified", dispatchId, verification });
      const tell = tellPulses(order, dispatchId, driver, uuid);
      void verifier.verify(command, signal, tell).then(seen, () => {
        if (!signal.aborted) seen({ commands: [], changes: undefined });
      });
      return;
    }
    case "refresh": {
      const { stageId, attempt, refs, workspace } = command;
      const read = (outcomes: readonly RefreshOutcome[]) =>
        answer({
          ...{ type: "refreshed", stageId, attempt },
          refs: refs.map((ref, index) => ({ ref, outcome: outcomes[index] ?? unread })),
        });
      void references.read({ tenantId: order.tenantId, refs, workspace }, signal).then(read, () => {
        if (!signal.aborted) read([]);
      });
      return;
    }
  }
}
