import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import { guides } from "./pages.ts";
import { tree } from "./read-page.ts";

/** The part of a page in which a command is named, and what is wrong with it. */
type Wrong = readonly [mention: string, unknown: string];

/** Commands within a sentence or a table, such as `baton runs skip RUN STAGE`. */
function mentionsOf(page: string): readonly string[] {
  const prose = readFileSync(join(tree, page), "utf8").replace(/^ *```[\s\S]*?^ *```$/gm, "");
  return [...prose.matchAll(/`(?:npx )?baton ([^`]+)`/g)].map(([, words = ""]) => words);
}

function lookUp(program: Command, mention: string): readonly Wrong[] {
  const words = mention.replace(/"[^"]*"/g, "TEXT").split(/[\s|]+/);
  let command = program;
  const names: Command[] = [program];
  for (const word of words) {
    const next = command.commands.find((known) => known.name() === word || known.aliases().includes(word));
    if (next === undefined) break;
    command = next;
    names.push(next);
  }
  if (command === program) return [[mention, words[0] ?? ""]];
  const known = names.flatMap(({ options }) => options.flatMap(({ short, long }) => [short, long]));
  return words.filter((word) => word.startsWith("-") && !known.includes(word)).map((word) => [mention, word]);
}

it.each(guides)("names only commands and options that there are: %s", async (page) => {
  const program = await createProgram();
  expect(mentionsOf(page).flatMap((mention) => lookUp(program, mention))).toEqual([]);
});
