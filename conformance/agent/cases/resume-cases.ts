import type { TaskEnvelope } from "@baton/contract";
import type { AttachedAgent } from "../attached-agent.ts";
import type { Case } from "../case.ts";
import { expectEqual, expectThat } from "../failed.ts";
import type { AgentStream } from "../hub/agent-stream.ts";
import { idsOf } from "../tasks.ts";
import { isReceived, type LostStream, loseStream, unacknowledged } from "./lost-stream.ts";

/** Streams that are lost, and sessions that go on (docs/reference/agent-protocols.md, "Going on"). */
export function resumeCases(agent: AttachedAgent): Case[] {
  let lost: Promise<LostStream> | undefined;
  /** The stream is cut once; each case looks at another side of it. */
  const afterLoss = () => {
    lost ??= loseStream(agent);
    return lost;
  };
  return [
    {
      id: "repeat",
      title:
        "sends a result again, under its number, when its dispatch comes again before it is acknowledged",
      async run() {
        const { work, sequence } = await unacknowledged(agent);
        const { stream } = agent;
        const from = stream.received.length;
        agent.dispatch(work);
        await isReceived(agent);
        const numbers = resultsIn(stream, work, from).join(", ");
        expectEqual("results sent again under the number", numbers || "none", `${sequence}`);
      },
    },
    {
      id: "resume",
      title: "opens a stream that was cut again, and goes on with its session and its work",
      async run() {
        const { stream, session, running } = await afterLoss();
        expectEqual("resume_session_id", stream.hello.resumeSessionId, session);
        await agent.resultOn(stream, running);
      },
    },
    {
      id: "held",
      title: "names in hello what it works on, and what it answered without being acknowledged",
      async run() {
        const { stream, running, kept } = await afterLoss();
        for (const { dispatchId, attemptNumber } of [running, kept.work].map(idsOf)) {
          const held = stream.hello.heldDispatches.find((one) => one.dispatchId === dispatchId);
          expectEqual(
            `${dispatchId} among held_dispatches, with attempt`,
            held?.attemptNumber,
            attemptNumber,
          );
        }
      },
    },
    {
      id: "send-again",
      title: "sends a result that was not acknowledged again, under its number",
      async run() {
        const { stream, kept } = await afterLoss();
        const { dispatchId } = idsOf(kept.work);
        expectEqual("the result again, under the number", stream.sequenceOf(dispatchId), kept.sequence);
      },
    },
    {
      id: "acknowledged",
      title: "neither holds nor sends again what the hub has acknowledged",
      async run() {
        const { stream, acknowledged } = await afterLoss();
        expectForgotten(stream, acknowledged);
      },
    },
    {
      id: "stored",
      title: "does not send again what the welcome says is stored",
      async run() {
        const { stream, stored } = await afterLoss();
        const again = stream.sequenceOf(idsOf(stored.work).dispatchId);
        expectThat(again === undefined, "no result that is stored", `result ${again}`);
      },
    },
    {
      id: "refused-result",
      title: "forgets a result that the hub refused",
      async run() {
        const { stream, refused } = await afterLoss();
        expectForgotten(stream, refused.work);
      },
    },
  ];
}

function expectForgotten(stream: AgentStream, work: TaskEnvelope): void {
  const { dispatchId } = idsOf(work);
  const isHeld = stream.hello.heldDispatches.some((one) => one.dispatchId === dispatchId);
  expectThat(!isHeld, `${dispatchId} not among held_dispatches`, "it among them");
  const again = stream.sequenceOf(dispatchId);
  expectThat(again === undefined, `no result of ${dispatchId} again`, `result ${again}`);
}

function resultsIn(stream: AgentStream, work: TaskEnvelope, from: number): readonly bigint[] {
  const { dispatchId } = idsOf(work);
  return stream.received
    .slice(from)
    .filter(({ message }) => message.case === "result" && message.value.dispatchId === dispatchId)
    .map(({ sequence }) => sequence);
}
