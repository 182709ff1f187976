import { describe, expect, it } from "vitest";
import { findCrowdedFolders, findFolderCycles, targetOf } from "./folders.ts";

const edge = (from: string, to: string) => ({ from, to });

describe("folders of a package", () => {
  it("may import each other one way, and what lies beside them", () => {
    const imports = [
      edge("p/src/api/a.ts", "p/src/store/b.ts"),
      edge("p/src/store/b.ts", "p/src/limits.ts"),
      edge("p/src/index.ts", "p/src/api/a.ts"),
    ];
    expect(findFolderCycles(imports)).toEqual([]);
  });

  it("must not import each other, and the message names an import of each edge", () => {
    const [message = "", ...others] = findFolderCycles([
      edge("p/src/api/a.ts", "p/src/store/b.ts"),
      edge("p/src/store/c.ts", "p/src/api/d.ts"),
    ]);
    expect(others).toEqual([]);
    expect(message).toContain("p/src  these import each other");
    expect(message).toContain("api → store: p/src/api/a.ts imports p/src/store/b.ts");
    expect(message).toContain("store → api: p/src/store/c.ts imports p/src/api/d.ts");
  });

  it("must not import each other by way of a file beside them", () => {
    const imports = [edge("p/src/api/a.ts", "p/src/index.ts"), edge("p/src/index.ts", "p/src/api/a.ts")];
    expect(findFolderCycles(imports)).toHaveLength(1);
  });

  it("may have files in one folder that import each other", () => {
    expect(findFolderCycles([edge("p/src/a.ts", "p/src/b.ts"), edge("p/src/b.ts", "p/src/a.ts")])).toEqual(
      [],
    );
  });

  it("hold at most twenty source files, tests apart", () => {
    const files = Array.from({ length: 20 }, (_, n) => `p/src/f${n}.ts`);
    expect(findCrowdedFolders([...files, "p/src/a.test.ts", "p/src/testing/b.ts"])).toEqual([]);
    expect(findCrowdedFolders([...files, "p/src/more.ts"])).toEqual([
      expect.stringContaining("p/src  holds 21 source files"),
    ]);
  });

  it("are found through relative paths", () => {
    expect(targetOf("p/src/api/a.ts", "../store/b.ts")).toBe("p/src/store/b.ts");
  });
});
