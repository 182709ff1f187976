import { mix } from "../../random.ts";

/**
 * The span of a pipeline or a dispatch: sixteen hexadecimal digits (W3C), derived from its id. Equal to two numbers of
 * `randomFrom` with two seeds, in one pass because every attempt has several spans.
 */
export function spanIdOf(id: string): string {
  let first = 1;
  let second = 2;
  for (let at = 0; at < id.length; at++) {
    const unit = id.charCodeAt(at);
    first = mix(first ^ unit);
    second = mix(second ^ unit);
  }
  return digits(mix(first)) + digits(mix(second));
}

const pairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function digits(number: number): string {
  return `${pair(number >>> 24)}${pair(number >>> 16)}${pair(number >>> 8)}${pair(number)}`;
}

function pair(number: number): string {
  return pairs[number & 0xff] as string;
}
