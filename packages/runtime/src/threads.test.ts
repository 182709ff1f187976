import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** Imports a file in a process of its own and prints the address of every module that came with it. */
const listing = `
import { registerHooks } from "node:module";
registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
await import(process.argv[1]);
process.exit();
`;

function loadedBy(file: string): readonly string[] {
  const args = ["--input-type=module", "--eval", listing, join(import.meta.dirname, file)];
  return execFileSync(process.execPath, args, { encoding: "utf8" }).trim().split("\n");
}

/** A hub has a store with a thread, and one for its record: what they load, every start and every end of a hub waits for. */
describe("a thread of the hub", () => {
  it("that writes loads the store and nothing that decides, decodes or checks", () => {
    const loaded = loadedBy("stores/sqlite/write/writer-thread.ts");
    expect(loaded.length).toBeGreaterThan(20);
    expect(loaded.filter((url) => /@bufbuild|packages\/contract|kernel\/src\/index/.test(url))).toEqual([]);
  });

  it("that works on the record loads no rules of the contract and no decisions", () => {
    const loaded = loadedBy("audit/audit-worker-thread.ts");
    expect(loaded.length).toBeGreaterThan(20);
    expect(
      loaded.filter((url) => /kernel\/src\/index|contract\/src\/validate|@bufbuild\/cel\//.test(url)),
    ).toEqual([]);
  });
});
