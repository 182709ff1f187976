import type { CancelAgentRequest, Step, TaskEnvelope } from "@baton/contract";
import type { AgentLink } from "@baton/runtime";
import { pipelineOf } from "@baton/runtime/parts";
import type { HubProcess } from "../hub/hub-process.ts";
import type { Answer } from "../kernel.ts";
import type { Reply } from "../observer/verdicts.ts";
import type { Connection, ConnectionParts } from "./connection.ts";
import { turnOf } from "./turn.ts";

const resendMs = 6_000;

/**
 * The connection of a push agent: every message is a call of its own, and may be lost, duplicated or overtaken. Important
 * messages are repeated until they are answered.
 */
export class PushConnection implements Connection {
  /** Repeats end with the attempt, so nothing is left. */
  readonly unacknowledged = 0;
  readonly #parts: ConnectionParts;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  open(): void {}

  /** Heartbeats are not repeated. */
  beat(): void {
    const { network, agent, supervisor } = this.#parts;
    const heartbeat = agent.heartbeat();
    network.carry("heartbeat", () => {
      const hubProcess = supervisor.current;
      void supervisor.beat(heartbeat).then((isTaken) => {
        if (isTaken && hubProcess && !hubProcess.isOver) this.#meet(hubProcess);
      });
    });
  }

  /** After a heartbeat the agent is reachable. Attempts that only the hub believes in are lost. */
  #meet({ hub }: HubProcess): void {
    const { address, agent } = this.#parts;
    if (hub.connections.link(address)) return;
    const link = this.#link();
    hub.connections.connect(link);
    const { lost } = hub.connections.reconcile(link, new Set(agent.working()));
    const reason = "the agent returned without it";
    for (const dispatchId of lost)
      void hub.engine.enqueue(pipelineOf(dispatchId), { type: "agent-lost", dispatchId, reason });
  }

  #link(): AgentLink {
    const { sim, checker, network, agent, address } = this.#parts;
    return {
      ...address,
      send: async (envelope: TaskEnvelope) => {
        const dispatchId = envelope.execution?.dispatchId ?? "";
        checker.durability.sending("send", dispatchId);
        if (sim.faults.strikes("transport failure")) throw new Error("the connection broke");
        checker.durability.sent("send", dispatchId);
        network.carry(`envelope ${dispatchId}`, () => agent.take(envelope));
      },
      cancel: async ({ dispatchId }: CancelAgentRequest) => {
        checker.durability.sending("cancel", dispatchId);
        network.carry(`cancel ${dispatchId}`, () => agent.stop(dispatchId));
        return true;
      },
    };
  }

  answer(dispatchId: string, answer: Answer, over: () => boolean, taken: () => void): void {
    if (over()) return;
    const { supervisor, address, sim } = this.#parts;
    this.#say(`result ${dispatchId}`, taken, () =>
      answer.kind === "unreadable"
        ? supervisor.enqueue(dispatchId, { type: "result", dispatchId, answer })
        : supervisor.answer(address, dispatchId, answer.result),
    );
    sim.clock.after(resendMs, () => this.answer(dispatchId, answer, over, taken));
  }

  turn(envelope: TaskEnvelope, turnIndex: number, confidence: number): void {
    const { supervisor, address, sim } = this.#parts;
    const dispatchId = envelope.execution?.dispatchId ?? "";
    const value = turnOf(envelope, turnIndex, confidence, sim.clock.nowMs);
    this.#say(`turn ${dispatchId}`, undefined, () =>
      supervisor.report(address, dispatchId, { case: "turn", value }),
    );
  }

  step(dispatchId: string, value: Step, over: () => boolean, settled: (isStored: boolean) => void): void {
    if (over()) return;
    const { supervisor, address, sim, network } = this.#parts;
    let isSettled = false;
    network.carry(`step ${dispatchId}`, () => {
      void supervisor.report(address, dispatchId, { case: "step", value }).then((word) => {
        if (word === "down") return;
        network.carry("answer", () => {
          if (isSettled || over()) return;
          isSettled = true;
          settled(word === "taken");
        });
      });
    });
    sim.clock.after(resendMs, () => {
      if (isSettled) return;
      this.step(
        dispatchId,
        value,
        () => isSettled || over(),
        (isStored) => {
          isSettled = true;
          settled(isStored);
        },
      );
    });
  }

  steps(dispatchId: string, steps: number): void {
    const { supervisor } = this.#parts;
    this.#say(`steps ${dispatchId}`, undefined, () =>
      supervisor.enqueue(dispatchId, { type: "steps", dispatchId, steps }),
    );
  }

  #say(what: string, taken: (() => void) | undefined, say: () => Promise<Reply>): void {
    const { network, sim } = this.#parts;
    const arrive = async () => {
      if ((await say()) !== "down") {
        if (taken) network.carry("acknowledgement", taken);
        return;
      }
      // A message in flight when the hub stopped may be buffered, or lost.
      if (!sim.faults.strikes("message lost with the hub")) sim.clock.after(3_000, () => void arrive());
    };
    network.carry(what, () => void arrive());
  }

  lose(): void {
    const { network, supervisor, address } = this.#parts;
    network.carry("end of a connection", () => {
      const { packId, instanceId } = address;
      const board = supervisor.current?.hub.connections;
      const link = board?.link(address);
      if (link) board?.disconnect(link);
      void supervisor.enqueueFleet({ kind: "detach", packId, instanceId });
    });
  }

  drop(): void {
    if (this.#parts.sim.random.chance(0.5)) this.lose();
  }
}
