import { createRedactor, RedactionFailure, type Redactor } from "@baton/kernel";
import { describe, expect, it } from "vitest";
import { defaultRedactor, EgressFilter, type RedactionAlert } from "./egress-filter.ts";

const secret = "what the redactor said of the secret";

/** Breaks in every method, and quotes what it was given. */
function broken(): Redactor {
  const fail = (): never => {
    throw new Error(secret);
  };
  const redactor = defaultRedactor();
  const place = { ...redactor.locate("x"), redact: fail, copyPlain: () => false };
  return {
    redactText: fail,
    redactValue: fail,
    redactMessage: fail,
    locate: () => ({ ...place, enter: () => place }),
    createStream: () => ({ push: fail, end: fail, cut: fail, heldBack: 0, undecided: undefined }),
    createLineMasker: () => ({ push: fail, end: fail, cut: fail, undecided: undefined }),
    maskLine: fail,
  };
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("the filter", () => {
  const ways: readonly (readonly [string, (redactor: Redactor) => unknown])[] = [
    ["a text", (redactor) => redactor.redactText("x")],
    ["a value", (redactor) => redactor.redactValue("x")],
    ["a line", (redactor) => redactor.maskLine("x")],
    ["a stream", (redactor) => redactor.createStream().push("x")],
    ["the end of a stream", (redactor) => redactor.createStream().end()],
    ["lines", (redactor) => redactor.createLineMasker().push("x")],
  ];

  it.each(ways)(
    "[OBS-05] lets nothing pass and names the egress when the redactor throws: %s",
    (_, redact) => {
      const alerts: RedactionAlert[] = [];
      const filter = new EgressFilter({ redactor: broken(), onFailure: (alert) => alerts.push(alert) });
      const thrown = thrownBy(() => redact(filter.at("event")));
      expect(thrown).toBeInstanceOf(RedactionFailure);
      expect(String((thrown as Error).stack)).not.toContain(secret);
      expect(alerts).toEqual([{ egress: "event", code: "BATON-REDACTION-101" }]);
      expect(filter.failures).toEqual([{ egress: "event", code: "BATON-REDACTION-101", count: 1 }]);
    },
  );

  it("[OBS-05] counts redaction that takes longer than its limit as failed, although it came to an end", () => {
    let nowMs = 0;
    const slow: Redactor = {
      ...defaultRedactor(),
      redactText: (text) => {
        nowMs += 1_001;
        return { text, redactions: [] };
      },
    };
    const alerts: RedactionAlert[] = [];
    const options = {
      redactor: slow,
      nowMs: () => nowMs,
      onFailure: (alert: RedactionAlert) => alerts.push(alert),
    };
    expect(thrownBy(() => new EgressFilter(options).at("log").redactText("x"))).toMatchObject({
      code: "BATON-REDACTION-105",
    });
    expect(alerts).toEqual([{ egress: "log", code: "BATON-REDACTION-105" }]);
    expect(new EgressFilter({ ...options, limitMs: 2_000 }).at("log").redactText("x").text).toBe("x");
  });

  it("[OBS-05] does not take a machine that slept meanwhile for redaction that is slow", () => {
    let [nowMs, pauses] = [0, 1];
    const redactor = defaultRedactor();
    const paused: Redactor = {
      ...redactor,
      redactText: (text) => {
        if (pauses-- > 0) nowMs += 3_600_000;
        return redactor.redactText(text);
      },
    };
    const filter = new EgressFilter({ redactor: paused, nowMs: () => nowMs });
    expect(filter.at("log").redactText("all is well").text).toBe("all is well");
    expect(filter.failures).toEqual([]);
  });

  it("[OBS-05] passes everything by the policy that is in force now", () => {
    const filter = new EgressFilter();
    const entrance = filter.at("answer");
    expect(entrance.redactValue({ colour: "red" }).value).toEqual({ colour: "red" });
    const made = createRedactor({ policy: { alwaysRedact: ["**/*.colour"], conditionalRedact: [] } });
    if (!made.ok) throw new Error("the policy is right");
    filter.use(made.redactor);
    expect(entrance.redactValue({ colour: "red" }).value).toEqual({ colour: "[redacted:field]" });
  });

  it("leaves alone what fails for other reasons than redaction", () => {
    const filter = new EgressFilter();
    const other = new TypeError("not about redaction");
    expect(
      thrownBy(() =>
        filter.guard("audit", () => {
          throw other;
        }),
      ),
    ).toBe(other);
    expect(filter.failures).toEqual([]);
  });
});
