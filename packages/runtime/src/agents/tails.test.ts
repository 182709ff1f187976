import { batch } from "@baton/conformance/store/rows.ts";
import { AbortPipelineRequestSchema, PipelineStatus } from "@baton/contract";
import { createRedactor } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ada, dispatchOf, eventually, reaches } from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import { readEvents } from "../events/stored-events.ts";
import { heldUnknown, type Store } from "../ports/store.ts";
import { EgressFilter } from "../redaction/egress-filter.ts";
import {
  chunksOf,
  eventsSeen,
  invoked,
  isTaken,
  printed,
  type Report,
  thought,
  thoughtsSeen,
  turn,
  wordsSeen,
} from "./testing/reports.ts";
import { type Action, durableStores, expectNoneTwice, overRestarts } from "./testing/restarts.ts";

const known = "correct horse battery staple";
const scrambled = "a1B2c3D4e5F6g7H8i9J0".repeat(2);
const edge = (word: string) => `-----${word} RSA PRIVATE KEY-----`;
const keyLines = [edge("BEGIN"), "MIIEpAIBAAKCAQEA7v".repeat(3), "bodyOfTheKey".repeat(5), edge("END")];

const secrets: readonly (readonly [kind: string, secret: string])[] = [
  ["github-token", `gh${"p_"}${scrambled}`],
  ["aws-access-key", `AK${"IA"}Q3EGVZ7JXN5RT2WP`],
  ["private-key", keyLines.join("\n")],
  ["known-secret", known],
];

function filterOfKnown(): EgressFilter {
  const made = createRedactor({ personalData: "everywhere", knownSecrets: [known] });
  if (!made.ok) throw new Error("the test knows a secret that cannot be one");
  return new EgressFilter({ redactor: made.redactor });
}

const abort: Action = async (hub, pipelineId) => {
  await hub.abortPipeline(ada, create(AbortPipelineRequestSchema, { pipelineId, reason: "enough" }));
  await reaches(hub, pipelineId, PipelineStatus.ABORTED);
};

function overKnownRestarts(store: Store, parts: readonly (readonly Report[])[], action?: Action) {
  return overRestarts({ store, action, hubParts: { filter: filterOfKnown() } }, ...parts);
}

async function linesSeen(hub: Hub): Promise<readonly string[]> {
  return (await eventsSeen(hub)).flatMap(({ event }) =>
    event?.payload.case === "sandboxPulse" ? [event.payload.value.line] : [],
  );
}

/** Thoughts and lines as stored, before the egress filter. */
async function storedTexts(store: Store): Promise<readonly string[]> {
  const rows = await store.events("acme", 0n, 10_000);
  return rows
    .flatMap((row) => readEvents(row))
    .flatMap(({ event }) => {
      if (event?.payload.case === "thoughtStream") return [event.payload.value.chunk];
      return event?.payload.case === "sandboxPulse" ? [event.payload.value.line] : [];
    });
}

/** Some positions in it, and each end of a line. */
function bordersOf(secret: string): readonly number[] {
  const ends = [...secret.matchAll(/\n/g)].map(({ index }) => index + 1);
  return [...ends, 6, secret.length >> 1, secret.length - 1];
}

describe.each(durableStores)("the tail of an attempt, over a restart (%s)", (_name, open) => {
  it.each(secrets)("[TUR-06] masks a secret that the restart splits: %s", async (kind, secret) => {
    for (const border of bordersOf(secret)) {
      const store = await open();
      const { hub } = await overKnownRestarts(store, [
        [thought(0, "I use "), thought(0, secret.slice(0, border))],
        [thought(0, `${secret.slice(border)} for it`, true)],
      ]);
      expect(await wordsSeen(hub)).toBe(`I use [redacted:${kind}] for it`);
      expect((await storedTexts(store)).join("")).toBe(`I use [redacted:${kind}] for it`);
      await expectNoneTwice(hub);
    }
  });

  it("[TUR-06] masks a secret over a restart after every four characters", async () => {
    const [, secret] = secrets[1] ?? ["", ""];
    const text = `with ${secret} now`;
    const pieces = text.match(/.{1,4}/g) ?? [];
    const { hub } = await overKnownRestarts(
      await open(),
      pieces.map((piece) => [thought(0, piece)]).concat([[thought(0, "", true)]]),
    );
    expect(await wordsSeen(hub)).toBe("with [redacted:aws-access-key] now");
    await expectNoneTwice(hub);
  });

  it("[TUR-04] is published with the word that it is a part of", async () => {
    const { hub } = await overKnownRestarts(await open(), [
      [thought(0, "the next wo")],
      [thought(0, "rd is said", true)],
    ]);
    expect(await wordsSeen(hub)).toBe("the next word is said");
    await expectNoneTwice(hub);
  });

  it("[TUR-04] is published when only a result follows", async () => {
    const store = await open();
    const { hub, agent, envelope, pipelineId } = await overKnownRestarts(store, [
      [thought(0, "the last wo")],
      [],
    ]);
    agent.answer(envelope);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(await wordsSeen(hub)).toBe("the last wo");
    expect(await store.heldBack()).toEqual([]);
  });

  it("[TUR-04] is published once when the stored pieces are retransmitted", async () => {
    const [, secret] = secrets[0] ?? ["", ""];
    const reported = [
      thought(0, "I use "),
      thought(0, secret.slice(0, 10)),
      invoked("a"),
      thought(0, secret.slice(10, 20)),
    ];
    const { hub } = await overKnownRestarts(await open(), [
      reported,
      [...reported.slice(1), thought(0, `${secret.slice(20)} for i`)],
      [thought(0, "t", true)],
    ]);
    expect(await wordsSeen(hub)).toBe("I use [redacted:github-token] for it");
    await expectNoneTwice(hub);
  });

  it("[TUR-06] masks the lines of a key, and loses or repeats nothing else", async () => {
    const lines = ["before", ...keyLines, "after"].map((line) => printed(line));
    for (let border = 1; border < lines.length; border++) {
      const store = await open();
      const rest = lines.slice(border);
      const { hub } = await overKnownRestarts(store, [lines.slice(0, border), rest, [printed("and on")]]);
      expect(await linesSeen(hub)).toEqual(["before", "[redacted:private-key]", "after", "and on"]);
      expect(await storedTexts(store)).toEqual(["before", "[redacted:private-key]", "after", "and on"]);
    }
    const again = lines.slice(0, 4);
    const { hub } = await overKnownRestarts(await open(), [
      again,
      [...again.slice(1), ...lines.slice(4)],
      lines.slice(2),
    ]);
    expect(await linesSeen(hub)).toEqual(["before", "[redacted:private-key]", "after"]);
    await expectNoneTwice(hub);
  });

  it("[TUR-06] masks a split secret when the attempt was aborted after the restart", async () => {
    const [, secret] = secrets[0] ?? ["", ""];
    const store = await open();
    const { hub, agent, envelope, pipelineId } = await overKnownRestarts(store, [
      [thought(0, "I use "), thought(0, secret.slice(0, 10))],
      [printed(edge("BEGIN"))],
    ]);
    await hub.abortPipeline(ada, create(AbortPipelineRequestSchema, { pipelineId, reason: "enough" }));
    await reaches(hub, pipelineId, PipelineStatus.ABORTED);
    await eventually("nothing is held back", async () => (await store.heldBack()).length === 0);
    const late = [
      thought(0, `${secret.slice(10)} for it`, true),
      ...keyLines.slice(1).map(printed),
      printed("on"),
    ];
    for (const one of late) agent.say(one, dispatchOf(envelope));
    await isTaken(agent);
    expect((await storedTexts(store)).join("\n")).not.toContain(secret.slice(10, 20));
    expect(await linesSeen(hub)).toEqual(["[redacted:private-key]", "on"]);
    expect(await wordsSeen(hub)).toBe("I use [redacted:github-token] for it");
  });

  it.each(secrets)(
    "[TUR-06] masks a split secret when the attempt was aborted before the restart: %s",
    async (_kind, secret) => {
      const half = secret.length >> 1;
      const store = await open();
      const first = [
        thought(0, `I use ${secret.slice(0, half)}`),
        ...keyLines.slice(0, 2).map((line) => printed(line)),
      ];
      const late = [
        thought(0, `${secret.slice(half)} for it`, true),
        thought(1, "and more", true),
        ...keyLines.slice(2).map((line) => printed(line)),
      ];
      const { hub } = await overKnownRestarts(store, [first, late], async (...given) => {
        await abort(...given);
        await eventually("nothing is held back", async () => (await store.heldBack()).length === 0);
      });
      const hidden = "[redacted:unheard-beginning]";
      expect(await wordsSeen(hub)).toBe(`I use ${hidden}${hidden}`);
      expect(await linesSeen(hub)).toEqual([hidden, hidden]);
      expect((await storedTexts(store)).join("\n")).not.toContain(secret.slice(half));
    },
  );

  it("[TUR-06] masks a split secret when the agent reports on after its result", async () => {
    const [, secret] = secrets[0] ?? ["", ""];
    const store = await open();
    const { hub, agent, envelope, pipelineId } = await overKnownRestarts(store, [
      [thought(0, `I use ${secret.slice(0, 10)}`)],
    ]);
    agent.answer(envelope);
    agent.say(thought(0, secret.slice(10, 20)), dispatchOf(envelope));
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    agent.say(thought(0, secret.slice(20), true), dispatchOf(envelope));
    await isTaken(agent);
    const visible = await wordsSeen(hub);
    const hidden = "[redacted:unheard-beginning]";
    expect(visible).toBe(`I use [redacted:unheard-end]${hidden}${hidden}`);
    expect((await storedTexts(store)).join("")).toBe(visible);
  });

  it.each([
    ["another turn", 2, false, "AK[redacted:aws-access-key]"],
    ["another turn", 19, false, "[redacted:unheard-end][redacted:unheard-beginning]"],
    ["its end", 2, true, "AK[redacted:aws-access-key]"],
    ["its end", 12, true, `AK${"IA"}Q3EGVZ7J[redacted:aws-access-key]`],
  ])(
    "[TUR-06] is not completed after the restart when %s had cut it after %i characters",
    async (...given) => {
      const [, border, isFinal, visible] = given;
      const [, secret] = secrets[1] ?? ["", ""];
      const store = await open();
      const { hub } = await overKnownRestarts(store, [
        [thought(0, `I use ${secret.slice(0, border)}`, isFinal), thought(1, "and more", true)],
        [thought(0, secret.slice(border), true)],
      ]);
      const ofTurn = chunksOf(await thoughtsSeen(hub)).filter(([turnIndex]) => turnIndex === 0);
      expect(ofTurn.map(([, chunk]) => chunk).join("")).toBe(`I use ${visible}`);
      expect((await storedTexts(store)).join("")).not.toContain(secret.slice(border));
    },
  );

  it("[TUR-06] masks nothing of late reports when nothing was held back", async () => {
    const { hub, agent, envelope, pipelineId } = await overKnownRestarts(await open(), [
      [thought(0, "all said. ", true)],
    ]);
    await abort(hub, pipelineId, agent, envelope);
    agent.say(thought(1, "and one more word", true), dispatchOf(envelope));
    await isTaken(agent);
    expect(await wordsSeen(hub)).toBe("all said. and one more word");
  });

  it("[TUR-06] masks what follows when the tail is unknown", async () => {
    const [, secret] = secrets[0] ?? ["", ""];
    const store = await open();
    const half = [thought(0, secret.slice(10, 20)), printed(keyLines[1] ?? "")];
    const more = [thought(0, secret.slice(20), true), thought(1, "on", true), printed(keyLines[2] ?? "")];
    const { hub, agent, envelope, pipelineId } = await overKnownRestarts(
      store,
      [[], half, more],
      async (_hub, pipelineId, _agent, envelope) => {
        const row = { tenantId: ada.tenantId, pipelineId, dispatchId: dispatchOf(envelope) };
        await store.commit(batch({ held: [{ ...row, text: heldUnknown }] }));
      },
    );
    const hidden = "[redacted:unheard-beginning]";
    expect(await wordsSeen(hub)).toBe(hidden.repeat(3));
    expect(await linesSeen(hub)).toEqual([hidden, hidden]);
    expect(await store.heldBack()).toMatchObject([{ text: heldUnknown }]);
    // A turn is whole by itself.
    agent.say(turn(2, "what I think"), dispatchOf(envelope));
    agent.answer(envelope);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    agent.say(thought(3, "and on", true), dispatchOf(envelope));
    await isTaken(agent);
    expect(await wordsSeen(hub)).toBe(`${hidden.repeat(3)}what I think${hidden}`);
    expect(await store.heldBack()).toEqual([]);
  });

  it("[OBS-05] is in the store only while the attempt is under way", async () => {
    const store = await open();
    const { hub, agent, envelope, pipelineId } = await overKnownRestarts(store, [
      [thought(0, `I use ${scrambled.slice(0, 8)}`), printed(edge("BEGIN"))],
      [],
    ]);
    expect(await store.heldBack()).toHaveLength(1);
    agent.answer(envelope);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(await store.heldBack()).toEqual([]);
  });
});
