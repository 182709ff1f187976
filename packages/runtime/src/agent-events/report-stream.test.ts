import { AgentRole, type Event, EventSchema, type TurnEnvelope, TurnEnvelopeSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultRedactor } from "../redaction/egress-filter.ts";
import { ReportStream } from "./report-stream.ts";
import { TurnMemory } from "./turn-memory.ts";

const token = `gh${"p_"}${"a1B2c3D4e5F6g7H8i9J0".repeat(2)}`;
const edge = (word: string) => `-----${word} RSA PRIVATE KEY-----`;
const keyLines = [edge("BEGIN"), "MIIEpAIBAAKCAQEA7v".repeat(3), "bodyOfTheKey".repeat(5), edge("END")];
const redactor = defaultRedactor();
const cutOff = "[redacted:unheard-end]";
const late = "[redacted:unheard-beginning]";

/** The streams of attempts, by the name of the attempt. */
function streams() {
  const all = new Map<string, ReportStream>();
  const of = (attempt: string) => {
    const stream = all.get(attempt) ?? new ReportStream(redactor);
    all.set(attempt, stream);
    return stream;
  };
  return {
    of,
    take: (attempt: string, event: Event) => of(attempt).take(event),
    turn: (attempt: string, reported: TurnEnvelope) => of(attempt).turn(attempt, "s", reported),
    end: (attempt: string) => of(attempt).end(),
    over: (attempt: string) => of(attempt).over(),
  };
}

function thought(chunk: string, { turnIndex = 0, isFinal = false } = {}): Event {
  const value = { agentId: AgentRole.DEVELOPER, turnIndex, chunk, isFinal };
  return create(EventSchema, { eventId: "own", payload: { case: "thoughtStream", value } });
}

function pulse(line: string): Event {
  const value = { line, timestamp: timestampNow() };
  return create(EventSchema, { eventId: "own", payload: { case: "sandboxPulse", value } });
}

function turn(reported: string, turnIndex = 0): TurnEnvelope {
  const content = { thought: reported, action: "", observation: "" };
  return create(TurnEnvelopeSchema, { agentId: AgentRole.DEVELOPER, turnIndex, content });
}

/** A thought as one who reads a turn as one text sees it. */
function byTurn(events: readonly Event[], turnIndex: number): string {
  const isOfTurn = ({ payload }: Event) =>
    payload.case === "thoughtStream" && payload.value.turnIndex === turnIndex;
  return events.filter(isOfTurn).map(textOf).join("");
}

function textOf({ payload }: Event): string {
  if (payload.case === "thoughtStream") return payload.value.chunk;
  return payload.case === "sandboxPulse" ? payload.value.line : "";
}

describe("the report stream of an attempt", () => {
  it("[TUR-06] hides a secret that is split over any chunks, and loses nothing else", () => {
    const text = `I use ${token} for it, then I go on.`;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }), (cuts) => {
        const stream = streams();
        const ends = [...cuts.toSorted((one, other) => one - other), text.length];
        let from = 0;
        const events = ends.flatMap((end) => {
          const chunk = text.slice(from, end);
          from = end;
          return stream.take("a", thought(chunk));
        });
        const whole = [...events, ...stream.end("a")].map(textOf).join("");
        expect(whole).toBe("I use [redacted:github-token] for it, then I go on.");
      }),
    );
  });

  it("[TUR-06] publishes the tail with the last chunk, with the next turn, or with the result", () => {
    const stream = streams();
    expect(stream.take("a", thought("so I do")).map(textOf)).toEqual(["so I "]);
    expect(stream.take("a", thought("", { isFinal: true })).map(textOf)).toEqual(["do"]);
    stream.take("a", thought("so I do", { turnIndex: 1 }));
    expect(stream.take("a", thought("next ", { turnIndex: 2 })).map(textOf)).toEqual(["do", "next "]);
    stream.take("b", thought("done."));
    expect(stream.end("b").map(textOf)).toEqual(["done."]);
    expect(stream.end("b")).toEqual([]);
  });

  it("[TUR-06] masks what may begin a secret where the next turn or the result cuts it", () => {
    const half = token.slice(0, 10);
    const stream = streams();
    stream.take("a", thought(`so ${half}`));
    expect(stream.take("a", thought("next ", { turnIndex: 1 })).map(textOf)).toEqual([cutOff, "next "]);
    stream.take("a", thought(half, { turnIndex: 1 }));
    expect(stream.end("a").map(textOf)).toEqual([cutOff]);
    for (const line of keyLines.slice(0, 2)) stream.take("b", pulse(line));
    expect(stream.end("b").map(textOf)).toEqual(["[redacted:private-key]"]);
  });

  it.each([1, 2, 4, 10, 20])(
    "[TUR-06] hides a secret that another turn cuts after %i characters, read turn by turn",
    (border) => {
      const stream = streams();
      const events = [
        thought(`I use ${token.slice(0, border)}`),
        thought("others ", { turnIndex: 1 }),
        thought(`${token.slice(border)} for it`, { isFinal: true }),
        thought("do not", { turnIndex: 1, isFinal: true }),
      ].flatMap((event) => stream.take("a", event));
      expect(byTurn(events, 1)).toBe("others do not");
      const begun = border > 7 ? cutOff : token.slice(0, border);
      expect(byTurn(events, 0)).toBe(`I use ${begun}[redacted:github-token] for it`);
    },
  );

  it("[TUR-06] hides a secret that goes on in the next turn", () => {
    const stream = streams();
    stream.take("a", thought(`I use ${token.slice(0, 20)}`));
    const events = stream.take("a", thought(`${token.slice(20)} for it`, { turnIndex: 1, isFinal: true }));
    expect(events.map(textOf)).toEqual([cutOff, "[redacted:github-token] for it"]);
    stream.take("a", thought(`I use ${token.slice(0, 20)}`, { turnIndex: 2 }));
    const others = stream.take("a", thought("or I do not", { turnIndex: 3, isFinal: true }));
    expect(others.map(textOf)).toEqual([cutOff, "or I do not"]);
  });

  it("[TUR-06] hides the rest of a secret when its thought had ended, by its last chunk or by its turn", () => {
    const [first, second] = [token.slice(0, 20), `${token.slice(20)} for it`];
    const stream = streams();
    stream.take("a", thought(`I use ${first}`, { isFinal: true }));
    stream.turn("b", turn(`I use ${first}`));
    stream.take("c", thought("I use "));
    stream.turn("c", turn(`I use ${first}`));
    for (const attempt of ["a", "b", "c"]) {
      const events = stream.take(attempt, thought(second, { isFinal: true }));
      expect(events.map(textOf)).toEqual(["[redacted:github-token] for it"]);
    }
  });

  it("[TUR-06] masks pieces of forgotten turns, and of turns before a result", () => {
    const stream = streams();
    stream.take("a", thought(`I use ${token.slice(0, 20)}`));
    for (let turnIndex = 1; turnIndex <= 40; turnIndex++) stream.take("a", thought("on ", { turnIndex }));
    expect(stream.take("a", thought(token.slice(20))).map(textOf)).toEqual(["on ", late].slice(1));
    stream.take("b", thought(`I use ${token.slice(0, 20)}`, { isFinal: true }));
    stream.end("b");
    stream.over("b");
    expect(stream.take("b", thought(token.slice(20))).map(textOf)).toEqual([late]);
    expect(stream.take("b", thought("and on ", { turnIndex: 1 })).map(textOf)).toEqual(["and on "]);
  });

  it("[TUR-06] continues the thoughts that an earlier process published", () => {
    const stream = streams();
    const stored = new TurnMemory(2);
    const restore = (turnIndex: number, chunk: string, isFinal = true) => {
      const { payload } = thought(chunk, { turnIndex, isFinal });
      if (payload.case === "thoughtStream") stored.restore("own", payload.value);
    };
    restore(3, `I use ${token.slice(0, 10)}`, false);
    restore(3, token.slice(10, 20));
    restore(4, `I use ${cutOff}`, false);
    restore(5, "ordinary wo", false);
    stream.of("a").recall(stored);
    const next = (turnIndex: number, chunk: string) =>
      stream.take("a", thought(chunk, { turnIndex, isFinal: true })).map(textOf);
    expect(next(2, token.slice(20))).toEqual([late]);
    expect(next(3, token.slice(20))).toEqual(["[redacted:github-token]"]);
    expect(next(4, token.slice(20))).toEqual([late]);
    expect(next(5, "rds")).toEqual(["rds"]);
    expect(next(6, "again")).toEqual(["again"]);
  });

  it("[TUR-06] ends with the rest of the turn's own thought, with its secret whole and nothing lost", () => {
    const whole = `I use ${token} for it, and go on`;
    for (let border = 0; border <= whole.length; border++) {
      const stream = streams();
      const events = stream.take("a", thought(whole.slice(0, border)));
      const { events: last } = stream.turn("a", turn(whole));
      expect(byTurn([...events, ...last], 0)).toBe("I use [redacted:github-token] for it, and go on");
      expect(last.map(({ payload }) => payload.case === "thoughtStream" && payload.value.isFinal)).toEqual([
        true,
      ]);
    }
  });

  it("[TUR-04] ends with the rest alone after many turns in between", () => {
    const stream = streams();
    const events = [...stream.take("a", thought("first I look, "))];
    for (let other = 1; other <= 20; other++) stream.turn("a", turn(`other ${other}`, other));
    events.push(...stream.take("a", thought("then I leap, ")));
    events.push(...stream.turn("a", turn("first I look, then I leap, and land")).events);
    expect(byTurn(events, 0)).toBe("first I look, then I leap, and land");
  });

  it("[TUR-06] publishes no half of a secret when the turn has other words than its thoughts", () => {
    const stream = streams();
    stream.take("a", thought(`I use ${token.slice(0, 20)}`));
    expect(stream.turn("a", turn(`With ${token} it works`)).events.map(textOf)).toEqual([cutOff]);
    stream.take("b", thought("first I loo"));
    expect(stream.turn("b", turn("I looked")).events.map(textOf)).toEqual(["loo"]);
    stream.take("c", thought("I use gh"));
    stream.take("c", thought("other ", { turnIndex: 1 }));
    const rest = stream.turn("c", turn("I use ghosts for it"));
    expect(rest.events.map(textOf)).toEqual(["osts for it"]);
  });

  it("[TUR-06] masks a key that comes line by line, and marks the line as masked", () => {
    const stream = streams();
    const lines = ["before", ...keyLines, "after"].flatMap((line) => stream.take("a", pulse(line)));
    const all = [...lines, ...stream.end("a")];
    expect(all.map(textOf)).toEqual(["before", "[redacted:private-key]", "after"]);
    expect(all.map(({ payload }) => payload.case === "sandboxPulse" && payload.value.masked)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("[TUR-06] moves between live, held, cut and over as its table says", () => {
    const half = thought(token.slice(0, 10));
    const rest = thought(`${token.slice(10)} for it`);
    const stream = new ReportStream(redactor);
    const states = [half, rest, thought("\n")].map((event) => {
      stream.take(event);
      return stream.state;
    });
    expect(states).toEqual(["held", "held", "live"]);
    expect(stream.tail).toBe("");
    stream.take(half);
    expect(stream.tail).not.toBe("");
    stream.end();
    expect([stream.state, stream.tail]).toEqual(["cut", ""]);
    stream.over();
    expect(stream.take(rest).map(textOf)).toEqual([late]);
    expect(stream.state).toBe("cut");

    const aborted = new ReportStream(redactor);
    aborted.take(half);
    aborted.over();
    expect([aborted.state, aborted.tail, aborted.isEmpty]).toEqual(["over", "", false]);
    expect(aborted.take(rest).map(textOf)).toEqual(["[redacted:github-token] for "]);
    expect(aborted.state).toBe("over");
  });

  it("[TUR-06] keeps attempts apart, and publishes no tail of one that is over", () => {
    const stream = streams();
    stream.take("a", thought(token.slice(0, 10)));
    expect(stream.take("b", thought(`${token.slice(10)} `)).map(textOf)).toEqual([`${token.slice(10)} `]);
    stream.over("a");
    expect(stream.end("a")).toEqual([]);
  });
});
