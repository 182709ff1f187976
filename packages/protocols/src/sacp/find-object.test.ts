import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findObject } from "./find-object.ts";

const fence = "```";
const answer = { status: "success", data: { n: 10 }, message: "The result is 10." };
const json = JSON.stringify(answer);
const isAnswer = (value: object) => "status" in value;

const find = (text: string) => findObject(text, isAnswer);

describe("the answer of a language model", () => {
  it.each([
    ["alone", json],
    ["on several lines", JSON.stringify(answer, null, 2)],
    ["between white space", `\n\t  ${json}\r\n\r\n`],
    ["in a fence", `${fence}json\n${json}\n${fence}`],
    ["in a fence without a language", `${fence}\n${json}\n${fence}`],
    ["in a fence that nobody closed", `${fence}json\n${json}`],
    ["after a sentence", `Here is the result: ${json}`],
    ["before a sentence", `${json}\nI hope this helps!`],
    ["in prose with braces", `The set {1, 2} and f() {} and {x} are fine. ${json} See {above}.`],
    ["after an example of the schema", `You asked for {"status": "success" | "failure", ...}.\n${json}`],
    ["after code", `${fence}js\nfunction f() { return { a: 1 }; }\n${fence}\n\n${json}`],
    ["in an array", `[${json}]`],
    ["after a brace that nobody closed", `An open { brace, and { another.\n${json}`],
    ["after a quote that nobody closed", `{"note: it\n${json}`],
  ])("[SAC-03] is found %s, as it is", (_where, text) => {
    expect(find(text)).toMatchObject({ value: answer, repairs: [], isTruncated: false });
  });

  it.each([
    ["trailing commas", '{"status": "success", "data": {"n": [1, 2,],},}', ["trailing comma"]],
    ["single quotes", "{'status': 'success', 'data': {'n': [1, 2]}}", ["single quotes"]],
    ["comments", '{"status": "success", // fine\n/* so */ "data": {"n": [1, 2]} # done\n}', ["comment"]],
    ["bare keys", '{status: "success", data: {n: [1, 2]}}', ["bare key"]],
    ["a missing comma", '{"status": "success"\n"data": {"n": [1 2]}}', ["missing comma"]],
    [
      "several of them",
      "{status: 'success', data: {'n': [1, 2,]}}",
      ["bare key", "single quotes", "trailing comma"],
    ],
  ])("[SAC-03] is read with %s, which is reported", (_what, text, repairs) => {
    const found = find(`Sure!\n${fence}json\n${text}\n${fence}`);
    expect(found?.value).toEqual({ status: "success", data: { n: [1, 2] } });
    expect(found?.repairs.toSorted()).toEqual(repairs.toSorted());
  });

  it.each([
    ["a quote", '{"status": "success", "message": "he said "no" to it"}', 'he said "no" to it'],
    ["a line break", '{"status": "success", "message": "one\ntwo"}', "one\ntwo"],
    ["an escape that nobody knows", '{"status": "success", "message": "a\\d+"}', "a\\d+"],
    ["an apostrophe", "{'status': 'success', 'message': 'it\\'s done'}", "it's done"],
    [
      "a fence",
      JSON.stringify({ status: "success", message: `${fence}js\n{}\n${fence}` }),
      `${fence}js\n{}\n${fence}`,
    ],
    ["an escaped pair", '{"status": "success", "message": "\\ud83d\\ude80"}', "\u{1f680}"],
  ])("[SAC-03] is read with %s inside of a text", (_what, text, message) => {
    expect(find(`${fence}json\n${text}\n${fence}`)?.value).toEqual({ status: "success", message });
  });

  it("[SAC-03] knows the literals of other languages", () => {
    expect(findObject("{'a': True, 'b': False, 'c': None}")?.value).toEqual({ a: true, b: false, c: null });
  });

  it("[SAC-03] is the last of several", () => {
    const text = `First I try {"status": "failure"}. Then it works: {"status": "success"} {"other": 1}`;
    expect(find(text)?.value).toEqual({ status: "success" });
  });

  it.each([
    ['debug: { "half": "a string\n{"status":"success","summary":"done"}'],
    ['+ const o = { k: "v\n{"status":"success","summary":"done"}\n'],
  ])("[SAC-03] is found behind half of something else: %j", (text) => {
    const isAnswer = (value: object) => "status" in value && "summary" in value;
    expect(findObject(text, isAnswer)?.value).toEqual({ status: "success", summary: "done" });
  });

  it("[SAC-03] is the one in a fence, when only one is", () => {
    const text = `${fence}json\n{"status": "success"}\n${fence}\nNot {"status": "failure"}.`;
    expect(find(text)?.value).toEqual({ status: "success" });
  });

  it.each([
    ["in a list", '{"status": "success", "data": {"n": [1, 2', { status: "success", data: { n: [1, 2] } }],
    [
      "in a text",
      '{"status": "success", "message": "half a sen',
      { status: "success", message: "half a sen" },
    ],
    ["before a value", '{"status": "success", "data":', { status: "success" }],
    ["in a word", '{"status": "success", "data": nul', { status: "success", data: null }],
  ])("[SAC-03] that was cut off %s is found, and said to be cut off", (_where, text, value) => {
    expect(find(`Well: ${text}`)).toMatchObject({ value, isTruncated: true });
  });

  it("[SAC-03] is not taken from inside of one that was cut off", () => {
    const cut = '{"status": "success", "data": {"steps": [{"status": "failure"}]}, "evidence": [';
    expect(find(cut)).toMatchObject({ isTruncated: true, value: { status: "success" } });
  });

  it("[SAC-03] that is whole comes before one that was cut off", () => {
    expect(find(`${json}\n{"status": "fail`)).toMatchObject({ value: answer, isTruncated: false });
  });

  it.each([["prose"], ["{"], ["{}"], ["{{{{"], ["[1, 2]"], ['"{\\"status\\": 1"'], ["{x: y z}"]])(
    "[SAC-03] is not there in %j",
    (text) => {
      expect(find(text)).toBeUndefined();
    },
  );

  it("[SAC-03] any object is found as it is, whatever prose surrounds it", () => {
    const prose = fc.string({ unit: fc.constantFrom(..."abc {}[]:,'\n`#/\\") });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), prose, prose, (object, before, after) => {
        const value = JSON.parse(JSON.stringify({ ...object, status: "success" }));
        const found = findObject(`${before}\n${JSON.stringify(value)}\n${after}`, isAnswer);
        if (before.includes("'") || before.includes("/*")) return; // A text or a comment may begin there.
        expect(found?.value).toEqual(value);
      }),
    );
  });

  it("[SAC-03] no text breaks it or takes it long", () => {
    const hard = ["{", '{"a":', '{"a":[', "{'", '{"a": "x" ', "{/*", '{"a":"\\u', '"', "{a:"];
    for (const piece of hard) expect(() => find(piece.repeat(20_000))).not.toThrow();
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."{}[]\"'\\,:/*#\n a1-eu") }), (text) => {
        find(text);
      }),
    );
  });

  it("[SAC-03] does not let an answer change what objects are", () => {
    const found = findObject('{"__proto__": {"polluted": true}, "status": "success"}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(found?.value ?? {})).toEqual(["__proto__", "status"]);
  });
});
