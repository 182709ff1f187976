import { defaultLimits, EventRecordSchema, GetTurnsRequestSchema, type TurnRecord } from "@baton/contract";
import { createRedactor } from "@baton/kernel";
import { create, toBinary, toJsonString } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ada } from "../../testing/index.ts";
import {
  chunksOf,
  eventsSeen,
  invoked,
  isTaken,
  printed,
  thought,
  thoughtsSeen,
  turn,
  working,
} from "../agents/testing/reports.ts";
import {
  defaultRedactor,
  EgressFilter,
  type EgressFilterOptions,
  type RedactionAlert,
  redactionLimits,
} from "../redaction/egress-filter.ts";
import type { Hub } from "./hub.ts";

/** Takes seven bytes, and seventeen when it is masked. */
const address = "a@b.co ";

const addresses = (rows: number) => ({ rows: Array.from({ length: rows }, () => address.repeat(13)) });

function redactor(options: Parameters<typeof createRedactor>[0] = {}) {
  const made = createRedactor({ limits: redactionLimits, ...options });
  if (!made.ok) throw new Error(made.problems[0]?.message);
  return made.redactor;
}

/** However slow the machine is. */
const slowFilter = (options: EgressFilterOptions = {}) =>
  new EgressFilter({ limitMs: Number.POSITIVE_INFINITY, ...options });

async function turnsOf(hub: Hub, pipelineId: string) {
  const pages: TurnRecord[][] = [];
  for (let pageToken = ""; ; ) {
    const page = await hub.getTurns(ada, create(GetTurnsRequestSchema, { pipelineId, pageToken }));
    pages.push(page.turns);
    pageToken = page.nextPageToken;
    if (pageToken === "") return pages;
  }
}

const indexesOf = (pages: readonly TurnRecord[][]) =>
  pages.map((page) => page.map((record) => record.turn?.turnIndex));

describe("content that is too large to be published", () => {
  it("[TUR-04] is refused with an error to its agent, and watchers continue", async () => {
    const { hub, agent, dispatchId } = await working({ filter: slowFilter() });
    agent.say(thought(0, "before", true), dispatchId);
    const sequence = agent.say(invoked("large", "write", addresses(20_000)), dispatchId);
    agent.say(thought(1, "after", true), dispatchId);
    await isTaken(agent);
    const [refused] = agent.all("refused");
    expect(refused).toMatchObject({ sequence, error: { code: "BATON-AGENT-008" } });
    expect(refused?.error?.message).toMatch(/has \d{7} bytes .* 4177920 can be shown/);
    expect(refused?.error?.fix).toContain("digest");
    const records = await eventsSeen(hub);
    expect(records.some(({ event }) => event?.payload.case === "toolInvoked")).toBe(false);
    expect(chunksOf(records).map(([, chunk]) => chunk)).toEqual(["before", "after"]);
  });

  it("[TUR-04] as JSON is refused as well, since some watch in that form", async () => {
    const { hub, agent, dispatchId } = await working({ filter: slowFilter() });
    agent.say(invoked("large", "write", { text: "\u0001".repeat(1024 * 1024) }), dispatchId);
    await isTaken(agent);
    expect(agent.all("refused")[0]?.error?.code).toBe("BATON-AGENT-008");
    for (const record of await eventsSeen(hub))
      expect(toJsonString(EventRecordSchema, record).length).toBeLessThan(defaultLimits.maxBytes);
  });

  it("[TUR-04] is published in pieces when it is a thought or a line, without loss", async () => {
    const { hub, agent, dispatchId } = await working({ filter: slowFilter() });
    // The first is too large for a message when it is masked.
    const times = [300_000, 70_000, 70_000] as const;
    const masked = times.map((count) => "[redacted:email] ".repeat(count));
    agent.say(turn(0, address.repeat(times[0])), dispatchId);
    agent.say(thought(1, address.repeat(times[1]), true), dispatchId);
    agent.say(printed(address.repeat(times[2])), dispatchId);
    agent.say(printed("after"), dispatchId);
    agent.say(turn(2, "after"), dispatchId);
    await isTaken(agent);
    expect(agent.all("refused")).toEqual([]);
    const records = await eventsSeen(hub);
    for (const record of records) {
      expect(record.withheld).toBeUndefined();
      expect(toBinary(EventRecordSchema, record).length).toBeLessThan(defaultLimits.maxBytes / 4);
    }
    const chunks = chunksOf(records);
    for (const turnIndex of [0, 1]) {
      const pieces = chunks.filter(([index]) => index === turnIndex);
      expect(pieces.map(([, chunk]) => chunk).join("") === masked[turnIndex]).toBe(true);
      expect(pieces.filter(([, , isFinal]) => isFinal)).toEqual([pieces.at(-1)]);
    }
    expect(chunks.at(-1)).toEqual([2, "after", true]);
    const lines = records.flatMap(({ event }) =>
      event?.payload.case === "sandboxPulse" ? [event.payload.value.line] : [],
    );
    expect(lines.slice(0, -1).join("").trim() === masked[2]?.trim()).toBe(true);
    expect(lines.at(-1)).toBe("after");
    expect(new Set(records.map(({ event }) => event?.eventId)).size).toBe(records.length);
  });

  it("[TUR-04] has a record in its place that says so, when it was stored under another policy", async () => {
    const filter = slowFilter({ redactor: redactor() });
    const { hub, agent, dispatchId } = await working({ filter });
    agent.say(thought(0, "before", true), dispatchId);
    agent.say(invoked("large", "write", addresses(20_000)), dispatchId);
    agent.say(thought(1, "after", true), dispatchId);
    await isTaken(agent);
    expect(agent.all("refused")).toEqual([]);
    filter.use(defaultRedactor());
    const records = await eventsSeen(hub);
    const [large, ...others] = records.filter(({ withheld }) => withheld);
    expect(others).toEqual([]);
    expect(large).toMatchObject({
      dispatchId,
      event: { payload: { case: "toolInvoked", value: { callId: "large", tool: "write", arguments: {} } } },
      withheld: { code: "BATON-AGENT-008" },
    });
    expect(large?.withheld?.bytes).toBeGreaterThan(defaultLimits.maxBytes);
    expect(records.map(({ sequence }) => Number(sequence))).toEqual(records.map((_, place) => place + 1));
    expect(chunksOf(records).map(([, chunk]) => chunk)).toEqual(["before", "after"]);
    expect(await eventsSeen(hub, `dispatch_id = "${dispatchId}"`)).toContainEqual(large);
  });

  it("[TUR-02] among turns is shown up to a length, with its size, and the pages behind it are read", async () => {
    const { hub, agent, pipelineId, dispatchId } = await working({ filter: slowFilter() });
    for (const [index, reported] of ["before", address.repeat(300_000), "after"].entries())
      agent.say(turn(index, reported), dispatchId);
    await isTaken(agent);
    const pages = await turnsOf(hub, pipelineId);
    expect(indexesOf(pages).flat()).toEqual([0, 1, 2]);
    const [before, large, after] = pages.flat();
    expect([before?.withheld, after?.withheld]).toEqual([undefined, undefined]);
    expect(large?.withheld).toMatchObject({ code: "BATON-AGENT-008" });
    expect(large?.withheld?.bytes).toBeGreaterThan(defaultLimits.maxBytes);
    expect(large?.turn?.content).toMatchObject({ action: "edit", observation: "green" });
    expect(large?.turn?.content?.thought.startsWith("[redacted:email] [redacted")).toBe(true);
    expect(after?.turn?.content?.thought).toBe("after");
  });

  it("[TUR-02] together limits a page of turns by displayed bytes, not by reported bytes", async () => {
    const { hub, agent, pipelineId, dispatchId } = await working({ filter: slowFilter() });
    for (let index = 0; index < 6; index++) agent.say(turn(index, address.repeat(20_000)), dispatchId);
    await isTaken(agent);
    expect(indexesOf(await turnsOf(hub, pipelineId))).toEqual([[0], [1], [2], [3], [4], [5]]);
  });
});

describe("what cannot be masked", () => {
  it("[OBS-05] [TUR-04] is not shown to who watches: that it is withheld is, and what follows", async () => {
    const alerts: RedactionAlert[] = [];
    const filter = new EgressFilter({ onFailure: (alert) => alerts.push(alert) });
    const { hub, agent, dispatchId } = await working({ filter });
    agent.say(thought(0, "may explode", true), dispatchId);
    agent.say(thought(1, "after", true), dispatchId);
    await isTaken(agent);
    const examine = () => {
      throw new TypeError("it went off");
    };
    const detectors = [{ kind: "explosive", anchors: ["explode"], examine }];
    filter.use(redactor({ detectors }));
    const records = await thoughtsSeen(hub);
    expect(JSON.stringify(records.map(({ event }) => event)).includes("explode")).toBe(false);
    expect(records.map(({ withheld }) => withheld?.code)).toEqual(["BATON-REDACTION-101", undefined]);
    expect(records[0]?.dispatchId).toBe(dispatchId);
    expect(chunksOf(records)).toEqual([
      [0, "", true],
      [1, "after", true],
    ]);
    expect(alerts).toContainEqual({ egress: "event", code: "BATON-REDACTION-101" });
  });

  it("[OBS-05] [TUR-04] leaves nothing that others have written when the filter does nothing at all", async () => {
    const filter = new EgressFilter();
    const { hub, agent, pipelineId, dispatchId } = await working({ filter });
    agent.say(invoked("call", "a tool", { text: "secret" }), dispatchId);
    await isTaken(agent);
    const outOfOrder = () => {
      throw new TypeError("out of order");
    };
    filter.use({ ...defaultRedactor(), redactMessage: outOfOrder, locate: outOfOrder });
    const records = await eventsSeen(hub);
    const call = records.find(({ event }) => event?.payload.case === "toolInvoked");
    expect(call).toMatchObject({ pipelineId, stageId: "", dispatchId: "", withheld: { bytes: 0 } });
    expect(call?.event?.payload.value).toMatchObject({
      callId: "[withheld]",
      tool: "[withheld]",
      arguments: {},
    });
    for (const { withheld } of records) expect(withheld?.code).toBe("BATON-REDACTION-101");
  });
});
