/** Migrations of the store: written once, and never changed again, because stores in the field have them behind them. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { findFilesIn, inTree, isInTree, readJson, root } from "../tree.ts";
import { git, mainCommit } from "./git.ts";
import { failed, type Outcome, passedWith } from "./step.ts";

const folder = "packages/runtime/src/stores/sqlite/schema/migrations";
/** SHA-256 of each, in hexadecimal digits, by its name. */
const list = `${folder}/digests.json`;

type Digests = Readonly<Record<string, string>>;

export async function checkMigrations(tree = root): Promise<Outcome> {
  if (!isInTree(list, tree)) return failed(`${list} is missing\nfix: git checkout -- ${list}`);
  const listed = readJson<Digests>(list, tree);
  const found = digestsIn(tree);
  const problems = [
    ...findTouched(listed, found),
    ...findRelisted(await listOfMain(tree), listed),
    ...findMisnumbered(Object.keys(found)),
  ];
  const added = Object.entries(found).filter(([name]) => listed[name] === undefined);
  if (problems.length > 0) {
    return failed(
      [
        ...problems,
        "A store that has applied a migration never applies it again, so a change would reach new stores only.",
        `fix: put it back as it was (git checkout main -- ${folder}), and write the change as a new migration`,
      ].join("\n"),
    );
  }
  if (added.length > 0) {
    return failed(
      [
        ...added.map(([name]) => `new  ${folder}/${name}: its digest is not in the list`),
        `fix: once it is as it will stay, add to ${list}:`,
        ...added.map(([name, digest]) => `       "${name}": "${digest}"`),
        "     and record a store of its version: node packages/runtime/src/stores/sqlite/testing/record-store.ts",
      ].join("\n"),
    );
  }
  return passedWith(`${Object.keys(found).length} of them`);
}

function digestsIn(tree: string): Digests {
  const files = findFilesIn(tree, `${folder}/*.sql`);
  return Object.fromEntries(
    files.map((file) => [basename(file), digestOf(readFileSync(inTree(file, tree)))]),
  );
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function findTouched(listed: Digests, found: Digests): string[] {
  return Object.entries(listed).flatMap(([name, digest]) => {
    if (found[name] === undefined) return [`removed  ${folder}/${name}`];
    return found[name] === digest
      ? []
      : [`changed  ${folder}/${name}: it has another digest than the list says`];
  });
}

/** A list that was changed together with a migration would hide it. */
function findRelisted(main: Digests, listed: Digests): string[] {
  return Object.entries(main)
    .filter(([name, digest]) => listed[name] !== digest)
    .map(([name]) => `changed  ${list}: the digest of ${name} is another one than in main`);
}

/** The list of main; empty where there is no git, no main, or no list in it. */
async function listOfMain(tree: string): Promise<Digests> {
  const main = await mainCommit(tree);
  const text = main === undefined ? undefined : await git(tree, "show", `${main}:${list}`);
  return text === undefined ? {} : (JSON.parse(text) as Digests);
}

/** The number of a migration is the version that it leads to. */
function findMisnumbered(names: readonly string[]): string[] {
  return names.flatMap((name, place) => {
    const number = String(place + 1).padStart(4, "0");
    return name.startsWith(`${number}-`) ? [] : [`misnumbered  ${folder}/${name}: ${number} comes next`];
  });
}
