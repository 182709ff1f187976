import type { CancelAgentRequest, TaskEnvelope } from "@baton/contract";
import type { AgentLink } from "@baton/runtime";
import { pipelineOf } from "@baton/runtime/parts";
import type { Life } from "../hub/hub-process.ts";
import type { Answer } from "../kernel.ts";
import type { Reply } from "../observer/verdicts.ts";
import type { Line, LineParts } from "./connection.ts";
import { turnOf } from "./turn.ts";

const resendMs = 6_000;

/**
 * An agent that the hub calls: every message goes by itself, and may be lost, doubled or overtaken. What matters is said
 * again until there is an answer.
 */
export class CalledLine implements Line {
  /** What it says again it says until the attempt is over: nothing stays. */
  readonly unheard = 0;
  readonly #parts: LineParts;

  constructor(parts: LineParts) {
    this.#parts = parts;
  }

  open(): void {}

  /** Heartbeats are not repeated: the next one comes anyway. */
  beat(): void {
    const { network, station, lives } = this.#parts;
    const heartbeat = station.heartbeat();
    network.carry("heartbeat", () => {
      const life = lives.current;
      void lives.beat(heartbeat).then((isTaken) => {
        if (isTaken && life && !life.isOver) this.#meet(life);
      });
    });
  }

  /** Whoever is heard of can be reached. What the hub believes it has and it has not is lost. */
  #meet({ hub }: Life): void {
    const { address, station } = this.#parts;
    if (hub.connections.link(address)) return;
    const link = this.#link();
    hub.connections.connect(link);
    const { lost } = hub.connections.reconcile(link, new Set(station.working()));
    const reason = "the agent came back without it";
    for (const dispatchId of lost)
      void hub.engine.enqueue(pipelineOf(dispatchId), { type: "agent-lost", dispatchId, reason });
  }

  #link(): AgentLink {
    const { sim, watch, network, station, address } = this.#parts;
    return {
      ...address,
      send: async (envelope: TaskEnvelope) => {
        const dispatchId = envelope.execution?.dispatchId ?? "";
        watch.exits.leaving("send", dispatchId);
        if (sim.faults.strikes("transport failure")) throw new Error("the connection broke");
        watch.exits.left("send", dispatchId);
        network.carry(`envelope ${dispatchId}`, () => station.take(envelope));
      },
      cancel: async ({ dispatchId }: CancelAgentRequest) => {
        watch.exits.leaving("cancel", dispatchId);
        network.carry(`cancel ${dispatchId}`, () => station.stop(dispatchId));
        return true;
      },
    };
  }

  answer(dispatchId: string, answer: Answer, over: () => boolean, taken: () => void): void {
    if (over()) return;
    const { lives, address, sim } = this.#parts;
    this.#say(`result ${dispatchId}`, taken, () =>
      answer.kind === "unreadable"
        ? lives.give(dispatchId, { type: "result", dispatchId, answer })
        : lives.answer(address, dispatchId, answer.result),
    );
    sim.clock.after(resendMs, () => this.answer(dispatchId, answer, over, taken));
  }

  turn(envelope: TaskEnvelope, turnIndex: number, confidence: number): void {
    const { lives, address, sim } = this.#parts;
    const dispatchId = envelope.execution?.dispatchId ?? "";
    const value = turnOf(envelope, turnIndex, confidence, sim.clock.nowMs);
    this.#say(`turn ${dispatchId}`, undefined, () =>
      lives.take(address, dispatchId, { case: "turn", value }),
    );
  }

  steps(dispatchId: string, steps: number): void {
    const { lives } = this.#parts;
    this.#say(`steps ${dispatchId}`, undefined, () =>
      lives.give(dispatchId, { type: "steps", dispatchId, steps }),
    );
  }

  #say(what: string, taken: (() => void) | undefined, say: () => Promise<Reply>): void {
    const { network, sim } = this.#parts;
    const arrive = async () => {
      if ((await say()) !== "down") {
        if (taken) network.carry("acknowledgement", taken);
        return;
      }
      // What was under way when the hub stopped may wait in a buffer, or be gone.
      if (!sim.faults.strikes("message lost with the hub")) sim.clock.after(3_000, () => void arrive());
    };
    network.carry(what, () => void arrive());
  }

  lose(): void {
    const { network, lives, address } = this.#parts;
    network.carry("end of a connection", () => {
      const { packId, instanceId } = address;
      const board = lives.current?.hub.connections;
      const link = board?.link(address);
      if (link) board?.disconnect(link);
      void lives.tell({ kind: "detach", packId, instanceId });
    });
  }

  drop(): void {
    if (this.#parts.sim.random.chance(0.5)) this.lose();
  }
}
