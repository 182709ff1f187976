import { describe, expect, it } from "vitest";
import { personalDetectors, secretDetectors } from "../detectors/all-detectors.ts";
import { detectKnown } from "../known/detect-known.ts";
import { formsOf } from "../known/known-secrets.ts";
import { personalExamples, secretExamples } from "../testing/examples.ts";
import { buildAutomaton } from "./automaton.ts";
import { Scanner } from "./scanner.ts";

const known = detectKnown([...formsOf(`${"a".repeat(60)}b`), ...formsOf("password=password=")]);
const automaton = buildAutomaton([...known, ...secretDetectors, ...personalDetectors]);

function steps(text: string, chunk = text.length): number {
  const scanner = new Scanner(automaton, { plain: () => {}, redacted: () => {} });
  for (let at = 0; at < text.length; at += chunk) scanner.push(text.slice(at, at + chunk));
  scanner.push("", "whole");
  return scanner.steps;
}

const anchors = [...secretDetectors, ...personalDetectors].flatMap((detector) => detector.anchors);
const notNumbers = [...new Set(anchors)].filter((anchor) => !/\d$/.test(anchor));
const edge = "-----BEGIN RSA PRIVATE KEY-----";
const [units, everything] = [
  [
    ...["a", "@", "1", "-", " ", "\n", "=", '"', "\\", "/", "é"],
    ...[
      "password=",
      "password=password:",
      'password="',
      'password=\\"',
      "password: ",
      "password='a\" ",
      "--password ",
    ],
    ...[
      "a@",
      "a@a.",
      "a.a@",
      "@a.a",
      "1 ",
      "1-",
      "+1 ",
      "(415) ",
      "415-",
      "4111 ",
      "4111-1111-",
      "DE89 ",
      "219-09-",
    ],
    ...[
      "://a:",
      "://@",
      "://a:b@",
      "eyJ-",
      "eyJ.",
      "eyJa-eyJ.",
      edge,
      "-----BEGIN ",
      "-----",
      "bearer a1",
      "basic ",
    ],
    ...[
      "authorization: basic ",
      "cookie: a=",
      "curl -u ",
      " -u a:b",
      "token ",
      "token=",
      "<token>",
      "secret => ",
    ],
    ...["a".repeat(60), "8Q~", ":AA", "-us1", "sk-ant-api03-", "?sig=", "password=password="],
  ],
  [
    ...notNumbers,
    ...[...secretExamples, ...personalExamples].flatMap(({ text, secret, lookalike }) => [
      text,
      secret,
      lookalike,
    ]),
  ],
];

/** Looks per character: what it costs does not grow with the text, and is small for whatever the text consists of. */
const most = 32;

function expectLinear(unit: string, size: number): void {
  const [short, long] = [size / 4, size].map((length) => {
    const text = unit.repeat(Math.ceil(length / unit.length));
    return steps(text) / text.length;
  }) as [number, number];
  expect(long, unit).toBeLessThan(most);
  expect(long / short, unit).toBeLessThan(1.02);
}

describe("the scanner reads in linear time", () => {
  it.each(units)("[OBS-05] many times %j", (unit) => expectLinear(unit, 1 << 17));

  it("[OBS-05] many times any anchor and any example", () => {
    for (const unit of everything) expectLinear(unit, 1 << 14);
  });

  it.each(["a", "@", "password=password="])("[OBS-05] a megabyte of %j", (unit) =>
    expectLinear(unit, 1 << 20),
  );

  it("[TUR-06] in chunks of a hundred characters", () => {
    for (const unit of units) {
      const text = unit.repeat(Math.ceil((1 << 13) / unit.length));
      expect(steps(text, 100) / text.length, unit).toBeLessThan(2 * most);
    }
  });
});
