import { quoted } from "../../hub/read-pages.ts";

/** A search: a part of the name or id, and fields such as `label:team=core`. */
export interface SearchWords {
  readonly words: string;
  /** In the filter language of the API. */
  readonly terms: readonly string[];
}

const field = /(?:^|\s)(label|task|risk|agent):("[^"]*"|\S+)/g;
const risks = ["LOW", "NORMAL", "CRITICAL"];
/** A filter may have 16 comparisons, including those of the other filters. */
const maxTerms = 8;

/** Incomplete and unknown fields are treated as words. */
export function readWords(search: string): SearchWords {
  const terms: string[] = [];
  const words = search.replace(field, (whole, name: string, value: string) => {
    const term = termOf(name, unquoted(value));
    if (term === undefined || terms.length >= maxTerms) return whole;
    terms.push(term);
    return " ";
  });
  return { words: words.trim().slice(0, 200), terms };
}

/** The search for a label. */
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
