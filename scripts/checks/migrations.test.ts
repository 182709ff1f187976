import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { commit, type Files, git, makeRepository, makeTree, write } from "../testing/repository.ts";
import { checkMigrations } from "./migrations.ts";

const folder = "packages/runtime/src/stores/sqlite/schema/migrations";
const first = `${folder}/0001-everything.sql`;
const second = `${folder}/0002-more.sql`;
const sqlOf = { [first]: "CREATE TABLE a (n INTEGER);", [second]: "CREATE TABLE b (n INTEGER);" };

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function listOf(...files: readonly (readonly [string, string])[]): Files {
  const entries = files.map(([path, text]) => [path.slice(folder.length + 1), digest(text)]);
  return { [`${folder}/digests.json`]: JSON.stringify(Object.fromEntries(entries)) };
}

const whole: Files = { ...sqlOf, ...listOf(...Object.entries(sqlOf)) };

// A hook of git's runs us with its own repository in the environment.
beforeEach(() => {
  vi.stubEnv("GIT_DIR", undefined);
  vi.stubEnv("GIT_INDEX_FILE", undefined);
  return () => vi.unstubAllEnvs();
});

/** What is wrong, line by line. */
async function findings(tree: string): Promise<readonly string[]> {
  const outcome = await checkMigrations(tree);
  return outcome.status === "failed" ? outcome.output.split("\n") : [];
}

describe("[PIP-11] the migrations of the store", () => {
  test("are fine when all of them are in the list and as it says", async () => {
    expect(await checkMigrations(makeTree(whole))).toEqual({ status: "passed", note: "2 of them" });
  });

  test("a changed one is refused, with the fix", async () => {
    const tree = makeTree({ ...whole, [first]: "CREATE TABLE a (n TEXT);" });
    const lines = await findings(tree);
    expect(lines[0]).toBe(`changed  ${first}: it has another digest than the list says`);
    expect(lines.at(-1)).toContain("write the change as a new migration");
  });

  test("a removed one is refused", async () => {
    const tree = makeTree(whole);
    rmSync(join(tree, second));
    expect(await findings(tree)).toContain(`removed  ${second}`);
  });

  test("a new one without its digest is refused, with the line to add", async () => {
    const text = "CREATE TABLE c (n INTEGER);";
    const lines = await findings(makeTree({ ...whole, [`${folder}/0003-new.sql`]: text }));
    expect(lines[0]).toBe(`new  ${folder}/0003-new.sql: its digest is not in the list`);
    expect(lines).toContain(`       "0003-new.sql": "${digest(text)}"`);
  });

  test("two of one number, or a number left out, are refused", async () => {
    const other = "CREATE TABLE c (n INTEGER);";
    for (const name of ["0002-other.sql", "0004-other.sql"]) {
      const path = `${folder}/${name}`;
      const tree = makeTree({ ...sqlOf, [path]: other, ...listOf(...Object.entries(sqlOf), [path, other]) });
      expect(await findings(tree)).toContainEqual(expect.stringMatching(/^misnumbered .*: 0003 comes next$/));
    }
  });

  test("one that was changed together with its digest is refused, on main and on a branch", async () => {
    const tree = makeRepository(whole);
    const changed = "CREATE TABLE a (n TEXT);";
    const together = { [first]: changed, ...listOf([first, changed], [second, sqlOf[second] ?? ""]) };
    write(tree, together);
    const finding = `changed  ${folder}/digests.json: the digest of 0001-everything.sql is another one than in main`;
    expect(await findings(tree)).toContain(finding);
    git(tree, "switch", "--quiet", "--create", "topic");
    commit(tree);
    expect(await findings(tree)).toContain(finding);
  });

  test("without a list they are refused", async () => {
    expect(await checkMigrations(makeTree(sqlOf))).toMatchObject({ status: "failed" });
  });
});
