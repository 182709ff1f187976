import { AgentRole, type Event, EventSchema } from "@baton/contract";
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
    const half = token.slice(0, 10);
    const told = streams();
    expect(told.take("a", thought(`so ${half}`)).map(textOf)).toEqual(["so "]);
    expect(told.take("a", thought("", { isFinal: true })).map(textOf)).toEqual([half]);
    told.take("a", thought(`so ${half}`, { turnIndex: 1 }));
    expect(told.take("a", thought("next ", { turnIndex: 2 })).map(textOf)).toEqual([half, "next "]);
    told.take("b", thought(half));
    expect(told.end("b").map(textOf)).toEqual([half]);
    expect(told.end("b")).toEqual([]);
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
