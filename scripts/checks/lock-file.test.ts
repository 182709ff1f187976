import { describe, expect, test } from "vitest";
import { makeTree } from "../testing/repository.ts";
import { checkLockFile } from "./lock-file.ts";

const packages = {
  "": { name: "house", devDependencies: { vitest: "5.1.0" } },
  "node_modules/@house/door": { resolved: "packages/door", link: true },
  "node_modules/left": { version: "1.0.0", integrity: "sha512-…", dependencies: { right: "^1.0.0" } },
  "packages/door": { name: "@house/door", dependencies: { left: "1.0.0" } },
};

describe("the lock file", () => {
  test("passes when it names no server and says the same as every package.json", async () => {
    expect(await checkLockFile(makeHouse(packages))).toEqual({ status: "passed" });
  });

  test.each(["http", "https"])("fails with an %s address", async (scheme) => {
    const resolved = `${scheme}://registry.example.org/left/-/left-1.0.0.tgz`;
    const tree = makeHouse({
      ...packages,
      "node_modules/left": { ...packages["node_modules/left"], resolved },
    });
    expect(await checkLockFile(tree)).toEqual({
      status: "failed",
      output: expect.stringContaining('"node_modules/left" names the server it came from'),
    });
  });

  test.each([
    ["another version", { left: "1.0.1" }],
    ["one more", { left: "1.0.0", lower: "1.0.0" }],
    ["one less", {}],
  ])("fails when the package.json of a package asks for %s", async (_, dependencies) => {
    expect(await checkLockFile(makeHouse(packages, { dependencies }))).toEqual({
      status: "failed",
      output: expect.stringContaining("the dependencies of packages/door/package.json have changed since"),
    });
  });

  test.each(["devDependencies", "optionalDependencies", "peerDependencies"])(
    "fails when it does not know of %s",
    async (kind) => {
      const door = { dependencies: { left: "1.0.0" }, [kind]: { right: "1.0.0" } };
      expect(await checkLockFile(makeHouse(packages, door))).toEqual({
        status: "failed",
        output: expect.stringContaining(`the ${kind} of packages/door/package.json have changed since`),
      });
    },
  );

  test("fails when the package.json of the root asks for something else", async () => {
    const tree = makeHouse({ ...packages, "": { name: "house", devDependencies: { vitest: "5.0.0" } } });
    expect(await checkLockFile(tree)).toEqual({
      status: "failed",
      output: expect.stringContaining("the devDependencies of package.json have changed since"),
    });
  });

  test("fails when there is none", async () => {
    expect(await checkLockFile(makeTree({ "package.json": "{}" }))).toMatchObject({ status: "failed" });
  });
});

function makeHouse(locked: object, door: object = { dependencies: { left: "1.0.0" } }): string {
  return makeTree({
    "package.json": JSON.stringify({ devDependencies: { vitest: "5.1.0" } }),
    "packages/door/package.json": JSON.stringify(door),
    "package-lock.json": JSON.stringify({ lockfileVersion: 3, packages: locked }),
  });
}
