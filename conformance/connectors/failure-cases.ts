import { CancelReason } from "@baton/contract";
import { expect, it } from "vitest";
import { accountOf } from "./account.ts";
import type { Connector } from "./connector.ts";
import { passed, result, Setting, thought } from "./setting.ts";

/** Agents that break, or have no room (A §3.2, failure paths of steps 5 and 6). */
export function failureCases(connector: Connector): void {
  it("[TRN-01] [DIS-17] loses the attempt of an agent that dies, and tries again", async () => {
    const setting = await Setting.of(connector, async ({ envelope, number, say, die, cancelled }) => {
      if (number > 1) return say(result(envelope));
      say(thought(0));
      die();
      await cancelled;
    });
    const record = ["1: the agent was lost", ...passed(2)];
    await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 2, record });
  });

  const { readsAnyText = false } = connector.traits ?? {};

  it.runIf(readsAnyText)("[TRN-01] [DIS-17] refuses what is no answer, and tries again", async () => {
    const setting = await Setting.of(connector, async ({ envelope, number, say, babble }) => {
      if (number > 1) return say(result(envelope));
      babble();
    });
    const record = ["1: refused a result", ...passed(2)];
    await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 2, record });
  });

  it.skipIf(readsAnyText)(
    "[TRN-01] [DIS-17] loses and cancels an attempt after an invalid message",
    async () => {
      const reason = Promise.withResolvers<CancelReason>();
      const setting = await Setting.of(connector, async ({ envelope, number, say, babble, cancelled }) => {
        if (number > 1) return say(result(envelope));
        babble();
        reason.resolve((await cancelled).reason);
      });
      const record = ["1: the agent was lost", ...passed(2)];
      await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 2, record });
      expect(await reason.promise).toBe(CancelReason.TIMEOUT);
    },
  );

  // An agent that is called refuses the call; one that has attached can only answer. Both cost one attempt.
  it("[TRN-01] [DIS-12] tries again when the agent has no room", async () => {
    const setting = await Setting.of(connector, async ({ envelope, number, say, decline }) => {
      if (number === 1) decline();
      else say(result(envelope));
    });
    const pipelineId = await setting.submit();
    await setting.ends(pipelineId);
    const { record, ...rest } = await accountOf(setting.hub, pipelineId);
    expect(rest).toEqual({ status: "COMPLETED", attempts: 2 });
    expect(record.slice(-3)).toEqual(passed(2));
    expect(record).not.toContain("1: the agent was lost");
  });
}
