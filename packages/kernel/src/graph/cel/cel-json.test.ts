import { isCelList, isCelMap, parse, plan } from "@bufbuild/cel";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { conditionEnv } from "./cel-functions.ts";
import { celFromJson } from "./cel-json.ts";
import { concatLists } from "./cel-list.ts";
import { startMeter } from "./meter.ts";

function list(...items: number[]) {
  const value = celFromJson(items);
  if (!isCelList(value)) throw new Error("the library does not know our lists");
  return value;
}

describe("values of JSON as CEL sees them", () => {
  beforeEach(() => startMeter(1));

  it("[SAC-05] are known to the library as lists and maps", () => {
    expect(isCelList(celFromJson([]))).toBe(true);
    expect(isCelMap(celFromJson({}))).toBe(true);
  });

  it("[SAC-05] equal themselves, whatever they hold", () => {
    const same = plan(conditionEnv, parse("a == b"));
    const check = fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      startMeter(1);
      const copy = JSON.parse(JSON.stringify(value));
      expect(same({ a: celFromJson(copy), b: celFromJson(copy) })).toBe(true);
    });
    fc.assert(check, { numRuns: Number(process.env.BATON_FUZZ_RUNS) });
  });

  it("[SAC-05] grow without changing what was there before", () => {
    const first = concatLists(list(1), list(2));
    const second = concatLists(first, list(3));
    const other = concatLists(first, list(4));
    expect([[...first], [...second], [...other]]).toEqual([
      [1, 2],
      [1, 2, 3],
      [1, 2, 4],
    ]);
    expect([...concatLists(second, second)]).toEqual([1, 2, 3, 1, 2, 3]);
    expect(first.get(2)).toBeUndefined();
  });
});
