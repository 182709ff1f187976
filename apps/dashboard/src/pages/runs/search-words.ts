import { quoted } from "../../hub/quoted.ts";

/** What somebody searches for: a part of the name or of the id, and fields such as `label:team=core`. */
export interface SearchWords {
  readonly words: string;
  /** As the API reads them. */
  readonly terms: readonly string[];
}

const field = /(?:^|\s)(label|task|risk|agent):("[^"]*"|\S+)/g;
const risks = ["LOW", "NORMAL", "CRITICAL"];
/** A filter of the API has room for 16 comparisons, and the others need some. */
const mostTerms = 8;

/** What is half typed, or no field, is a word like any other. */
export function readWords(search: string): SearchWords {
  const terms: string[] = [];
  const words = search.replace(field, (whole, name: string, value: string) => {
    const term = termOf(name, unquoted(value));
    if (term === undefined || terms.length >= mostTerms) return whole;
    terms.push(term);
    return " ";
  });
  return { words: words.trim().slice(0, 200), terms };
}

/** A label as it is searched for. */
export function labelWords(name: string, value: string): string {
  return /[\s"]/.test(value) ? `label:"${name}=${value.replaceAll('"', "")}"` : `label:${name}=${value}`;
}

function termOf(name: string, value: string): string | undefined {
  switch (name) {
    case "task":
      return `source_task_id = ${quoted(value)}`;
    case "agent":
      return `agent = ${quoted(value)}`;
    case "risk":
      return risks.includes(value.toUpperCase()) ? `risk_tier = ${value.toUpperCase()}` : undefined;
    default: {
      const [, label, wanted] = /^([A-Za-z0-9._-]+)=(.*)$/.exec(value) ?? [];
      return label === undefined || wanted === undefined ? undefined : `labels.${label} = ${quoted(wanted)}`;
    }
  }
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1) : value;
}
