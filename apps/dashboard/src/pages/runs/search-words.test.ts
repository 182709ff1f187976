import { describe, expect, it } from "vitest";
import { labelWords, readWords } from "./search-words.ts";

describe("what is searched for", () => {
  it("has fields and words", () => {
    expect(readWords("login label:team=core risk:critical task:t-1 agent:dev/dev-1 page")).toEqual({
      words: expect.stringMatching(/^login +page$/),
      terms: [
        'labels.team = "core"',
        "risk_tier = CRITICAL",
        'source_task_id = "t-1"',
        'agent = "dev/dev-1"',
      ],
    });
  });

  it("has values with blanks in quotes", () => {
    expect(readWords(labelWords("cost", "7 b"))).toEqual({ words: "", terms: ['labels.cost = "7 b"'] });
    expect(readWords(labelWords("team", "core"))).toEqual({ words: "", terms: ['labels.team = "core"'] });
  });

  it("takes what is half typed for a word", () => {
    expect(readWords("label:team")).toEqual({ words: "label:team", terms: [] });
    expect(readWords("risk:crit")).toEqual({ words: "risk:crit", terms: [] });
  });
});
