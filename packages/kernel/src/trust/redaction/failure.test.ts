import { describe, expect, it } from "vitest";
import { RedactionFailure } from "./failure.ts";
import type { Detector } from "./scan/detector.ts";
import { redactorOf } from "./testing/redactor.ts";

const secret = "the secret in the message";
const faulty: Detector = {
  kind: "faulty",
  anchors: ["boom"],
  examine: () => {
    throw new TypeError(secret);
  },
};
const redactor = redactorOf({ detectors: [faulty] });
const [before, text] = ["a line\n", "boom and more"];

describe("a redaction that fails", () => {
  const ways: readonly (readonly [string, () => unknown])[] = [
    ["redactText", () => redactor.redactText(text)],
    ["redactValue", () => redactor.redactValue({ a: [before, text] })],
    ["a name in redactValue", () => redactor.redactValue({ [text]: 1 })],
    ["maskLine", () => redactor.maskLine(text)],
    ["a stream", () => redactor.createStream().push(before + text)],
    ["a line masker", () => redactor.createLineMasker().push(before + text)],
  ];

  it.each(ways)("[OBS-05] gives a RedactionFailure and no text: %s", (_, redact) => {
    let thrown: unknown;
    expect(() => {
      try {
        return redact();
      } catch (error) {
        thrown = error;
        throw error;
      }
    }).toThrow(RedactionFailure);
    expect(thrown).toMatchObject({ code: "BATON-REDACTION-101", thrown: "TypeError" });
    expect(String((thrown as Error).stack) + JSON.stringify(thrown)).not.toContain(secret);
    expect((thrown as Error).cause).toBeUndefined();
  });

  it("[OBS-05] ends a stream for good", () => {
    const stream = redactor.createStream();
    expect(() => stream.push(text)).toThrow(RedactionFailure);
    expect(() => stream.push("harmless")).toThrow(expect.objectContaining({ code: "BATON-REDACTION-104" }));
    expect(() => stream.end()).toThrow(expect.objectContaining({ code: "BATON-REDACTION-104" }));
  });

  it("[OBS-05] happens where a detector finds something out of its bounds", () => {
    const far: Detector = { kind: "far", anchors: ["anchor"], examine: () => ({ start: 0, end: 1 }) };
    expect(() => redactorOf({ detectors: [far] }).redactText(`${"x".repeat(100)}anchor`)).toThrow(
      RedactionFailure,
    );
  });

  it("[OBS-05] happens where a detector looks further than the text is long, again and again", () => {
    const endless: Detector = {
      kind: "endless",
      anchors: ["anchor"],
      examine: (window) => {
        for (;;) window.code(0);
      },
    };
    const redactor = redactorOf({ detectors: [endless] });
    const late = expect.objectContaining({ code: "BATON-REDACTION-105" });
    expect(() => redactor.redactText("an anchor")).toThrow(late);
    expect(() => redactor.createStream().push("an anchor")).toThrow(late);
    expect(() => redactor.createLineMasker().push("an anchor")).toThrow(late);
  });
});
