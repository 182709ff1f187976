import { type CelResult, celEnv, isCelError } from "@bufbuild/cel";
import { graphLimits } from "./limits.ts";

/** The library compiles a pattern on every call, and `x{100}` is a hundred times `x`. */
export function patternPrice(pattern: string): number {
  let copies = 1;
  for (const [, least, most] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    copies *= Math.max(1, Number(least), Number(most ?? 0));
  }
  // RE2 refuses more than a thousand.
  return 10 * pattern.length * Math.min(copies, 1000);
}

/**
 * Why a pattern of `matches` is not taken; undefined when it is. The library runs it with RE2, which needs time linear
 * in the text and knows no backreferences or look-around, so what RE2 takes is safe.
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
