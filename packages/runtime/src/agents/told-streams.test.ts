import { AgentRole, type Event, EventSchema, type TurnEnvelope, TurnEnvelopeSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { usualRedactor } from "../filter/filter.ts";
import { ToldStreams } from "./told-streams.ts";

const token = `gh${"p_"}${"a1B2c3D4e5F6g7H8i9J0".repeat(2)}`;
const edge = (word: string) => `-----${word} RSA PRIVATE KEY-----`;
const keyLines = [edge("BEGIN"), "MIIEpAIBAAKCAQEA7v".repeat(3), "bodyOfTheKey".repeat(5), edge("END")];
const redactor = usualRedactor();
const cutOff = "[redacted:unheard-end]";
const late = "[redacted:unheard-beginning]";

function streams(): ToldStreams {
  return new ToldStreams(redactor);
}

function thought(chunk: string, { turnIndex = 0, isFinal = false } = {}): Event {
  const value = { agentId: AgentRole.DEVELOPER, turnIndex, chunk, isFinal };
  return create(EventSchema, { eventId: "own", payload: { case: "thoughtStream", value } });
}

function pulse(line: string): Event {
  const value = { line, timestamp: timestampNow() };
  return create(EventSchema, { eventId: "own", payload: { case: "sandboxPulse", value } });
}

function turn(said: string, turnIndex = 0): TurnEnvelope {
  const content = { thought: said, action: "", observation: "" };
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

describe("what an agent tells in pieces", () => {
  it("[TUR-06] hides a secret that is split over any chunks, and loses nothing else", () => {
    const text = `I use ${token} for it, then I go on.`;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }), (cuts) => {
        const told = streams();
        const ends = [...cuts.toSorted((one, other) => one - other), text.length];
        let from = 0;
        const events = ends.flatMap((end) => {
          const chunk = text.slice(from, end);
          from = end;
          return told.take("a", thought(chunk));
        });
        const whole = [...events, ...told.end("a")].map(textOf).join("");
        expect(whole).toBe("I use [redacted:github-token] for it, then I go on.");
      }),
    );
  });

  it("[TUR-06] gives out what it held back with the last chunk, with the next turn, or at the end", () => {
    const told = streams();
    expect(told.take("a", thought("so I do")).map(textOf)).toEqual(["so I "]);
    expect(told.take("a", thought("", { isFinal: true })).map(textOf)).toEqual(["do"]);
    told.take("a", thought("so I do", { turnIndex: 1 }));
    expect(told.take("a", thought("next ", { turnIndex: 2 })).map(textOf)).toEqual(["do", "next "]);
    told.take("b", thought("done."));
    expect(told.end("b").map(textOf)).toEqual(["done."]);
    expect(told.end("b")).toEqual([]);
  });

  it("[TUR-06] masks what may begin a secret where the next turn or the end cuts it off", () => {
    const half = token.slice(0, 10);
    const told = streams();
    told.take("a", thought(`so ${half}`));
    expect(told.take("a", thought("next ", { turnIndex: 1 })).map(textOf)).toEqual([cutOff, "next "]);
    told.take("a", thought(half, { turnIndex: 1 }));
    expect(told.end("a").map(textOf)).toEqual([cutOff]);
    for (const line of keyLines.slice(0, 2)) told.take("b", pulse(line));
    expect(told.end("b").map(textOf)).toEqual(["[redacted:private-key]"]);
  });

  it.each([1, 2, 4, 10, 20])(
    "[TUR-06] hides a secret that another turn cuts after %i characters, read turn by turn",
    (border) => {
      const told = streams();
      const events = [
        thought(`I use ${token.slice(0, border)}`),
        thought("others ", { turnIndex: 1 }),
        thought(`${token.slice(border)} for it`, { isFinal: true }),
        thought("do not", { turnIndex: 1, isFinal: true }),
      ].flatMap((event) => told.take("a", event));
      expect(byTurn(events, 1)).toBe("others do not");
      const begun = border > 7 ? cutOff : token.slice(0, border);
      expect(byTurn(events, 0)).toBe(`I use ${begun}[redacted:github-token] for it`);
    },
  );

  it("[TUR-06] hides a secret that goes on in the next turn", () => {
    const told = streams();
    told.take("a", thought(`I use ${token.slice(0, 20)}`));
    const events = told.take("a", thought(`${token.slice(20)} for it`, { turnIndex: 1, isFinal: true }));
    expect(events.map(textOf)).toEqual([cutOff, "[redacted:github-token] for it"]);
    told.take("a", thought(`I use ${token.slice(0, 20)}`, { turnIndex: 2 }));
    const others = told.take("a", thought("or I do not", { turnIndex: 3, isFinal: true }));
    expect(others.map(textOf)).toEqual([cutOff, "or I do not"]);
  });

  it("[TUR-06] hides the rest of a secret when its thought had ended, by its last chunk or by its turn", () => {
    const [first, second] = [token.slice(0, 20), `${token.slice(20)} for it`];
    const told = streams();
    told.take("a", thought(`I use ${first}`, { isFinal: true }));
    told.turn("b", "s", turn(`I use ${first}`));
    told.take("c", thought("I use "));
    told.turn("c", "s", turn(`I use ${first}`));
    for (const attempt of ["a", "b", "c"]) {
      const events = told.take(attempt, thought(second, { isFinal: true }));
      expect(events.map(textOf)).toEqual(["[redacted:github-token] for it"]);
    }
  });

  it("[TUR-06] masks what comes of turns that are forgotten, and of those told of before a result", () => {
    const told = streams();
    told.take("a", thought(`I use ${token.slice(0, 20)}`));
    for (let turnIndex = 1; turnIndex <= 40; turnIndex++) told.take("a", thought("on ", { turnIndex }));
    expect(told.take("a", thought(token.slice(20))).map(textOf)).toEqual(["on ", late].slice(1));
    told.take("b", thought(`I use ${token.slice(0, 20)}`, { isFinal: true }));
    told.end("b");
    told.forget("b");
    expect(told.take("b", thought(token.slice(20)), true).map(textOf)).toEqual([late]);
    expect(told.take("b", thought("and on ", { turnIndex: 1 }), true).map(textOf)).toEqual(["and on "]);
  });

  it("[TUR-06] goes on from what an earlier life of the hub told of a turn", () => {
    const said = (text: string, isFinal = true) => ({ eventId: "own", text, isFinal });
    const told = streams();
    const thoughts = new Map([
      [3, said(`I use ${token.slice(0, 20)}`)],
      [4, said(`I use ${cutOff}`, false)],
      [5, said("ordinary wo", false)],
    ]);
    told.recall("a", { thoughts, forgotten: 2 });
    const next = (turnIndex: number, chunk: string) =>
      told.take("a", thought(chunk, { turnIndex, isFinal: true })).map(textOf);
    expect(next(2, token.slice(20))).toEqual([late]);
    expect(next(3, token.slice(20))).toEqual(["[redacted:github-token]"]);
    expect(next(4, token.slice(20))).toEqual([late]);
    expect(next(5, "rds")).toEqual(["rds"]);
    expect(next(6, "anew")).toEqual(["anew"]);
  });

  it("[TUR-06] ends with the rest of the turn's own thought, with its secret whole and nothing lost", () => {
    const whole = `I use ${token} for it, and go on`;
    for (let border = 0; border <= whole.length; border++) {
      const told = streams();
      const events = told.take("a", thought(whole.slice(0, border)));
      const { events: last } = told.turn("a", "s", turn(whole));
      expect(byTurn([...events, ...last], 0)).toBe("I use [redacted:github-token] for it, and go on");
      expect(last.map(({ payload }) => payload.case === "thoughtStream" && payload.value.isFinal)).toEqual([
        true,
      ]);
    }
  });

  it("[TUR-04] ends with the rest alone, too, when many other turns were told of before its thought went on", () => {
    const told = streams();
    const events = [...told.take("a", thought("first I look, "))];
    for (let other = 1; other <= 20; other++) told.turn("a", "s", turn(`other ${other}`, other));
    events.push(...told.take("a", thought("then I leap, ")));
    events.push(...told.turn("a", "s", turn("first I look, then I leap, and land")).events);
    expect(byTurn(events, 0)).toBe("first I look, then I leap, and land");
  });

  it("[TUR-06] tells no half of a secret when the turn puts its thought in other words", () => {
    const told = streams();
    told.take("a", thought(`I use ${token.slice(0, 20)}`));
    expect(told.turn("a", "s", turn(`With ${token} it works`)).events.map(textOf)).toEqual([cutOff]);
    told.take("b", thought("first I loo"));
    expect(told.turn("b", "s", turn("I looked")).events.map(textOf)).toEqual(["loo"]);
    told.take("c", thought("I use gh"));
    told.take("c", thought("other ", { turnIndex: 1 }));
    const rest = told.turn("c", "s", turn("I use ghosts for it"));
    expect(rest.events.map(textOf)).toEqual(["osts for it"]);
  });

  it("[TUR-06] hides a key whose lines come one by one, and says that the line was masked", () => {
    const told = streams();
    const lines = ["before", ...keyLines, "after"].flatMap((line) => told.take("a", pulse(line)));
    const all = [...lines, ...told.end("a")];
    expect(all.map(textOf)).toEqual(["before", "[redacted:private-key]", "after"]);
    expect(all.map(({ payload }) => payload.case === "sandboxPulse" && payload.value.masked)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("[TUR-06] keeps what attempts tell apart, and forgets one that is over", () => {
    const told = streams();
    told.take("a", thought(token.slice(0, 10)));
    expect(told.take("b", thought(`${token.slice(10)} `)).map(textOf)).toEqual([`${token.slice(10)} `]);
    told.forget("a");
    expect(told.end("a")).toEqual([]);
  });
});
