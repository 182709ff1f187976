import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { AttachedAgent } from "../attached-agent.ts";
import type { Case } from "../case.ts";
import { expectEqual, expectThat } from "../failed.ts";
import { limits } from "../limits.ts";
import { idsOf, slow } from "../tasks.ts";
import { echoes, succeeds } from "./answers.ts";
import { isReceived, unacknowledged } from "./lost-stream.ts";

/** Sessions that are forgotten, streams that are drained or refused. The last case ends the agent. */
export function streamCases(agent: AttachedAgent): Case[] {
  const { hub } = agent;
  return [
    {
      id: "new-session",
      title: "numbers what it kept from 2 on, in its order, when the hub has forgotten the session",
      async run() {
        await isReceived(agent);
        const kept = [await unacknowledged(agent), await unacknowledged(agent)];
        hub.session.forget();
        const stream = await agent.reopened();
        await echoes(agent);
        expectEqual("the first number after the welcome", stream.received[0]?.sequence, 2n);
        const [first, second] = kept.map(({ work }) => stream.sequenceOf(idsOf(work).dispatchId));
        const isInOrder = first !== undefined && second !== undefined && first < second;
        const seen = `the first as ${first ?? "none"} and the second as ${second ?? "none"}`;
        expectThat(isInOrder, "both results again, in their order", seen);
      },
    },
    {
      id: "drain",
      title: "finishes its work when the hub drains, and opens the stream again after its end",
      async run() {
        const { stream } = agent;
        const work = slow();
        const attempt = agent.dispatch(work);
        stream.say({
          case: "drain",
          value: { reason: "the hub restarts", grace: durationFromMs(agent.patienceMs) },
        });
        await succeeds(attempt);
        expectThat(
          stream.sequenceOf(idsOf(work).dispatchId) !== undefined,
          "the result before the end",
          "none",
        );
        expectThat(stream.isOpen, "the hub to end the stream", "the agent did");
        stream.end();
        const next = await agent.opened();
        expectEqual("resume_session_id", next.hello.resumeSessionId, hub.session.id);
        await echoes(agent);
      },
    },
    {
      id: "not-ready",
      title: "comes again when the hub is not ready for it",
      async run() {
        const before = hub.hellos;
        hub.refusal = Code.Unavailable;
        hub.cut();
        await hub.bell.until(agent.patienceMs, "a second hello after UNAVAILABLE", () =>
          hub.hellos >= before + 2 ? true : undefined,
        );
        hub.refusal = undefined;
        await agent.opened();
        await echoes(agent);
      },
    },
    {
      id: "shut-out",
      title: "stays away when the hub refuses it for good",
      async run() {
        const before = hub.hellos;
        hub.refusal = Code.PermissionDenied;
        hub.cut();
        const hellos = (count: number) => () => (hub.hellos >= before + count ? true : undefined);
        await hub.bell.until(agent.patienceMs, "a hello after the stream was cut", hellos(1));
        const again = await hub.bell.within(limits.shutOutMs, hellos(2));
        expectThat(again === undefined, "no hello after PERMISSION_DENIED", "another hello");
      },
    },
  ];
}
