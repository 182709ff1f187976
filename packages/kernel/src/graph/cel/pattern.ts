import { type CelResult, celEnv, isCelError } from "@bufbuild/cel";
import { graphLimits } from "../limits.ts";

/** The price of a pattern. The library compiles it on every call, and `x{100}` compiles to a hundred `x`. */
export function patternPrice(pattern: string): number {
  let copies = 1;
  for (const [, least, most] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    copies *= Math.max(1, Number(least), Number(most ?? 0));
  }
  // RE2 refuses more than a thousand.
  return 10 * pattern.length * Math.min(copies, 1000);
}

/**
 * Why a pattern of `matches` is refused; undefined when it is accepted. RE2 needs time linear in the text and has no
 * backreferences or look-around, so every pattern that it accepts is safe.
 */
export function refusePattern(
  pattern: string,
  longest: number = graphLimits.patternChars,
): string | undefined {
  if (pattern.length > longest) {
    return `a pattern of ${pattern.length} characters is more than the ${longest} that are allowed`;
  }
  if (patternPrice(pattern) > graphLimits.conditionSteps) return "the pattern repeats too much";
  const result: CelResult | undefined = celEnv().funcs.find("matches")?.call(0, "", [pattern]);
  return isCelError(result) ? result.message : undefined;
}
