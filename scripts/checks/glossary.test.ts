import { describe, expect, it } from "vitest";
import { findRetired } from "./glossary.ts";

describe("the glossary check", () => {
  it.each([
    ["a name", "export function tellError() {}", "tellError"],
    ["a word of a name", "const toldStreams = 1;", "toldStreams"],
    ["a private name", "class Log { #heard = 1; }", "heard"],
    ["a comment", "// Whoever asks waits.\nconst a = 1;", "Whoever"],
    ["a text", 'throw new Error("it is told anew");', "told"],
    ["a template", "const a = `nobody hears`;", "hears"],
    ["a phrase", "/** Ten seconds unless told. */\nconst a = 1;", "unless told"],
  ])("finds a retired word in %s", (_, source, word) => {
    const [first = "", ...others] = findRetired("packages/kernel/src/a.ts", source);
    expect(first).toContain(word);
    expect(first).toContain("use: ");
    expect(first).toMatch(/^packages\/kernel\/src\/a\.ts:\d+ /);
    expect(others.length).toBeLessThan(3);
  });

  it("finds one in a document, and leaves what is quoted as code", () => {
    const text = "The hub tells agents.\n\n    npx baton tell\n\nSee `told.ts`.\n";
    expect(findRetired("docs/a.md", text)).toHaveLength(1);
    expect(findRetired("docs/a.md", "```\ntold\n```\n")).toEqual([]);
  });

  it.each([
    ["a style sheet", "a.css", "/* The crowd is told. */"],
    ["a page", "index.html", "<p>Nobody was told.</p>"],
    ["a script in Python", "peer.py", "    # Whoever asks."],
    ["a workflow of the CI", "ci.yml", "    # Runs anew."],
    ["the comment of the contract", "a.proto", "string told = 1;\n// Told once."],
  ])("finds one in %s", (_, name, text) => {
    expect(findRetired(`packages/kernel/${name}`, text)).toHaveLength(1);
  });

  it("finds one in the name of a file or folder", () => {
    expect(findRetired("packages/kernel/src/told-streams.ts", "")).toHaveLength(1);
    expect(findRetired("packages/kernel/src/mender/a.ts", "")).toHaveLength(1);
  });

  it("accepts names of stored formats, and nothing else in the code of a store", () => {
    const code = 'const { sealed } = db.prepare("SELECT sealed FROM journal").get(); // ';
    expect(findRetired("packages/runtime/src/stores/sqlite/a.ts", `${code}read`)).toEqual([]);
    expect(findRetired("packages/runtime/src/stores/sqlite/a.ts", `${code}sealed`)).toHaveLength(1);
  });

  it("lets ordinary English pass: words that are dialect in a name alone", () => {
    expect(findRetired("docs/a.md", "The table shown below changes hands.\n")).toEqual([]);
    expect(findRetired("packages/a.ts", "const shownEvents = 1;")).toHaveLength(1);
    expect(findRetired("packages/a.ts", "const breakdown = 1; // A shell, a tellurium.")).toEqual([]);
  });
});
