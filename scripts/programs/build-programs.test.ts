import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { inTree } from "../tree.ts";
import { buildPrograms } from "./build-programs.ts";

/** A tree with a program that reads a file beside its source, and starts a thread which names its source. */
const files = {
  "apps/cli/bin/some.mjs": `
import { Worker } from "node:worker_threads";
import { readFileSync } from "node:fs";
import { word } from "../src/word.ts";
console.log(word, readFileSync(new URL("../note.txt", import.meta.url), "utf8"));
new Worker(new URL("../src/thread.ts", import.meta.url)).on("message", (said) => console.log(said));
`,
  "apps/cli/src/word.ts": 'export const word: string = "first";',
  "apps/cli/src/thread.ts": `
import { parentPort } from "node:worker_threads";
import { word } from "./word.ts";
parentPort?.postMessage(\`\${word} of \${import.meta.filename}\`);
`,
  "apps/cli/note.txt": "a note",
  "package.json": '{ "type": "module" }',
};

function makeTree(): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), "baton-programs-")));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) write(tree, path, text);
  return tree;
}

function write(tree: string, path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function run(program: string): readonly string[] {
  return execFileSync(process.execPath, [program], { encoding: "utf8" }).trim().split("\n");
}

const program = "apps/cli/bin/some.mjs";

describe("the programs that tests start", () => {
  it("find their files and start their threads as they do from their sources", async () => {
    const tree = makeTree();
    const folder = await buildPrograms(tree);
    const expected = ["first a note", `first of ${join(tree, "apps/cli/src/thread.ts")}`];
    expect(run(join(tree, program))).toEqual(expected);
    expect(run(join(folder, program))).toEqual(expected);
  });

  it("need no sources, threads included", async () => {
    const tree = makeTree();
    const folder = await buildPrograms(tree);
    rmSync(join(tree, "apps/cli/src"), { recursive: true });
    expect(run(join(folder, program))).toHaveLength(2);
  });

  it("are built once, and again when a source changes", async () => {
    const tree = makeTree();
    const [folder, same] = [await buildPrograms(tree), await buildPrograms(tree)];
    expect(same).toBe(folder);
    write(tree, "apps/cli/src/word.ts", 'export const word = "second";');
    const other = await buildPrograms(tree);
    expect(run(join(other, program))[0]).toBe("second a note");
    // Another run may still start the ones of before.
    expect(run(join(folder, program))[0]).toBe("first a note");
  });

  it("are whole for each of several runs that build at once, which leave nothing else", async () => {
    const tree = makeTree();
    const [folder = "", ...others] = await Promise.all([1, 2, 3].map(() => buildPrograms(tree)));
    expect(new Set(others)).toEqual(new Set([folder]));
    expect(run(join(folder, program))).toHaveLength(2);
    expect(readdirSync(dirname(folder))).toHaveLength(2);
  });

  it.each(["apps/cli/bin/baton.mjs", "apps/server/bin/baton-server.mjs"])("%s among them", async (path) => {
    const built = join(await buildPrograms(), path);
    for (const arg of ["--version", "--help"]) {
      const [ofBuilt, ofSource] = [built, inTree(path)].map((file) =>
        execFileSync(process.execPath, [file, arg], { encoding: "utf8" }),
      );
      expect(ofBuilt).toBe(ofSource);
    }
  });
});
