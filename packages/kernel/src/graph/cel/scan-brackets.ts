import { graphLimits } from "../limits.ts";

/** A fault that is found before parsing. */
export interface SourceFault {
  readonly offset: number;
  readonly message: string;
  readonly fix: string;
  readonly tooDeep?: true;
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** One token: comment, string with its prefix and quotes, name or number, operator, any other character. */
const token =
  /\/\/[^\r\n]*|(?<prefix>\b[rRbB]{1,2})?(?<quote>"""|'''|"|')|[\p{L}_][\p{L}\p{N}_]*|\d[\w.]*|[=!<>]=+|[\s\S]/uy;

/**
 * Finds brackets that are unclosed or nested too deep, unterminated strings, and `=` for `==`. The parser reports most of
 * these at the first token only, and takes seconds for hundreds of open brackets.
 */
export function scanBrackets(source: string): SourceFault | undefined {
  const open: { readonly bracket: string; readonly offset: number }[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const [text] = match;
    const offset = match.index;
    const quote = match.groups?.quote;
    if (quote !== undefined) {
      const end = endOfString(source, token.lastIndex, quote, /r/i.test(match.groups?.prefix ?? ""));
      if (end === undefined)
        return { offset, message: "a string without an end", fix: `close it with ${quote}` };
      token.lastIndex = end;
    } else if (Object.hasOwn(closers, text)) {
      open.push({ bracket: text, offset });
      if (open.length > graphLimits.conditionNesting) return tooDeep(offset);
    } else if (text === ")" || text === "]" || text === "}") {
      const last = open.pop();
      if (last === undefined) return { offset, message: `"${text}" closes nothing`, fix: `remove "${text}"` };
      const closer = closers[last.bracket];
      if (closer !== text) {
        return {
          offset,
          message: `"${text}" where "${closer}" should be`,
          fix: `close "${last.bracket}" first`,
        };
      }
    } else if (text === "=" || /^[=!]==+$/.test(text)) {
      const operator = text.startsWith("!") ? "!=" : "==";
      return { offset, message: `"${text}" is no operator of CEL`, fix: `write "${operator}"` };
    }
  }
  const last = open.at(-1);
  if (last === undefined) return undefined;
  const fix = `close it with "${closers[last.bracket]}"`;
  return { offset: last.offset, message: `"${last.bracket}" is never closed`, fix };
}

function endOfString(source: string, from: number, quote: string, isRaw: boolean): number | undefined {
  for (let at = from; at < source.length; at++) {
    if (source.startsWith(quote, at)) return at + quote.length;
    if (source[at] === "\\" && !isRaw) at++;
    else if (quote.length === 1 && (source[at] === "\n" || source[at] === "\r")) return undefined;
  }
  return undefined;
}

function tooDeep(offset: number): SourceFault {
  const message = `brackets are nested deeper than ${graphLimits.conditionNesting}`;
  return { offset, message, fix: "split the condition over several edges or nodes", tooDeep: true };
}
