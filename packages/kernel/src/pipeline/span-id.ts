import { randomFrom } from "../random.ts";

/** The span of a pipeline or a dispatch: sixteen hexadecimal digits (W3C) that its id always gives. */
export function spanIdOf(id: string): string {
  const half = (salt: number) =>
    Math.floor(randomFrom(salt, id) * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return half(1) + half(2);
}
