import { describe, expect, it } from "vitest";
import { labelWords, readWords } from "./search-words.ts";

describe("a search", () => {
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

  it("quotes values with blanks", () => {
    expect(readWords(labelWords("cost", "7 b"))).toEqual({ words: "", terms: ['labels.cost = "7 b"'] });
    expect(readWords(labelWords("team", "core"))).toEqual({ words: "", terms: ['labels.team = "core"'] });
  });

  it("treats incomplete fields as words", () => {
    expect(readWords("label:team")).toEqual({ words: "label:team", terms: [] });
    expect(readWords("risk:crit")).toEqual({ words: "risk:crit", terms: [] });
  });
});
