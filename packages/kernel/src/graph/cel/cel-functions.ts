import {
  type CelFunc,
  CelScalar,
  type CelType,
  type CelValue,
  celEnv,
  celFunc,
  celMethod,
  listType,
} from "@bufbuild/cel";
import { concatLists } from "./cel-list.ts";
import { charge } from "./meter.ts";
import { patternPrice } from "./pattern.ts";

const { BYTES, DOUBLE, DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);

/**
 * Numbers in JSON are doubles, and CEL has no mixed arithmetic: `response.data.score + 1` would be an error. Mixed
 * operands are computed as doubles; integers among themselves stay integers.
 */
function mixed(operator: string, compute: (a: number, b: number) => number): CelFunc[] {
  return [
    celFunc(operator, [DOUBLE, INT], DOUBLE, (a, b) => compute(a, Number(b))),
    celFunc(operator, [INT, DOUBLE], DOUBLE, (a, b) => compute(Number(a), b)),
  ];
}

/** Functions that replace or extend those of the library. */
const ours: CelFunc[] = [
  ...mixed("_+_", (a, b) => a + b),
  ...mixed("_-_", (a, b) => a - b),
  ...mixed("_*_", (a, b) => a * b),
  ...mixed("_/_", (a, b) => a / b),
  ...mixed("_%_", (a, b) => a % b),
  celFunc("_%_", [DOUBLE, DOUBLE], DOUBLE, (a, b) => a % b),
  celFunc("_+_", [LIST, LIST], LIST, concatLists),
  celFunc("size", [STRING], INT, codePoints),
  celMethod("size", STRING, [], INT, function () {
    return codePoints(this);
  }),
];

/** Counts code points without allocating an array of them, as the library does. */
function codePoints(text: string): bigint {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) pairs++;
  return BigInt(text.length - pairs);
}

/** Steps per character, for functions that do more than compare. */
const textPrices = new Map([
  ["_+_", 1 / 64],
  ["size", 1 / 16],
  ...["matches", "int", "uint", "double", "bytes", "string", "timestamp", "duration"].map(
    (name) => [name, 1] as const,
  ),
]);

/** Charges outside of the function itself: the library catches what a function throws. */
function priced(func: CelFunc): CelFunc {
  const { id, name, target, arguments: params, result } = func;
  const price = textPrices.get(name);
  const types = target === undefined ? params : [target, ...params];
  if (price === undefined || !types.some(isTextType)) return func;
  const call: CelFunc["call"] = (exprId, self, args) => {
    const values = self === undefined ? args : [self, ...args];
    const isThisOverload = (self === undefined) === (target === undefined) && values.length === types.length;
    if (isThisOverload) {
      const chars = values.reduce<number>((sum, value, at) => sum + textLength(value, types[at]), 0);
      charge(Math.ceil(chars * price) + (name === "matches" ? patternPrice(String(args[0])) : 0));
    }
    return func.call(exprId, self, args);
  };
  return { id, name, target, arguments: params, result, call } as CelFunc;
}

function isTextType(type: CelType | undefined): boolean {
  return type === STRING || type === BYTES;
}

function textLength(value: CelValue, type: CelType | undefined): number {
  if (type === STRING && typeof value === "string") return value.length;
  return type === BYTES && value instanceof Uint8Array ? value.length : 0;
}

/** All functions of conditions, metered. */
export const conditionEnv = celEnv({ funcs: Array.from(celEnv({ funcs: ours }).funcs, priced) });
