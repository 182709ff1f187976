import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { makeFolder, makeTree, write } from "../testing/repository.ts";
import { bringDependenciesUpToDate } from "./install.mjs";

/** Only ends what hangs; `vi.waitFor` takes no endless wait. */
const hangsMs = 10 * 60_000;

const lock = {
  packages: {
    "": { optionalDependencies: { "tea-for-mars": "1.0.0" } },
    "node_modules/tea": { version: "1.0.0" },
    "node_modules/@tea/pot": { version: "2.0.0" },
    "node_modules/tea-for-venus": { version: "1.0.0", optional: true, os: ["venus"] },
  },
};

const needsMilk = {
  packages: { ...lock.packages, "node_modules/tea": { version: "1.0.0", dependencies: { milk: "1.0.0" } } },
};

/** What stands in for npm; `says` is the body of a function of the command's name that may end the process. */
const fakeNpm = (says: string) => `
  const { appendFileSync, mkdirSync, writeFileSync } = require("node:fs");
  const { dirname } = require("node:path");
  const [command, ...options] = process.argv.slice(2);
  appendFileSync("calls.txt", [command, ...options].join(" ") + "\\n");
  const fail = (text) => { console.error(text); process.exit(1); };
  const install = () => {
    const { packages } = JSON.parse(require("node:fs").readFileSync("package-lock.json", "utf8"));
    delete packages[""];
    for (const [path, { optional }] of Object.entries(packages)) {
      if (optional || !path.startsWith("node_modules/")) continue;
      mkdirSync(path, { recursive: true });
      writeFileSync(path + "/package.json", "{}");
    }
    writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages }));
  };
  ${says}
`;
const works = 'if (command === "ci") install();';

let printed = "";
beforeEach(() => {
  printed = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    printed += text;
    return true;
  });
});

describe("installing", () => {
  test("is done once, and again only when something is missing", async () => {
    const tree = treeWith(works);
    await bringDependenciesUpToDate(tree);
    expect(printed).toBe("baton: installing dependencies (npm ci)\n");
    expect(calls(tree)).toEqual(["ping", "ci"]);
    await bringDependenciesUpToDate(tree);
    expect(calls(tree)).toEqual(["ping", "ci"]);
  });

  test.each(["node_modules/@tea/pot", "node_modules/tea/package.json", "node_modules"])(
    "is done again after %s was removed",
    async (path) => {
      const tree = treeWith(works);
      await bringDependenciesUpToDate(tree);
      rmSync(join(tree, path), { recursive: true });
      await bringDependenciesUpToDate(tree);
      expect(calls(tree)).toEqual(["ping", "ci", "ping", "ci"]);
      expect(existsSync(join(tree, "node_modules/@tea/pot/package.json"))).toBe(true);
      expect(existsSync(join(tree, "node_modules/tea/package.json"))).toBe(true);
    },
  );

  test("is done again after the lock file has changed", async () => {
    const tree = treeWith(works);
    await bringDependenciesUpToDate(tree);
    const packages = { ...lock.packages, "node_modules/tea": { version: "1.0.1" } };
    write(tree, { "package-lock.json": JSON.stringify({ packages }) });
    await bringDependenciesUpToDate(tree);
    expect(calls(tree)).toEqual(["ping", "ci", "ping", "ci"]);
  });

  test.each([
    ["programs by name", { bin: { kettle: "kettle.mjs" } }],
    ["one program of its own name", { name: "@tea/kettle", bin: "kettle.mjs" }],
  ])("links what a workspace has got since: %s", async (_, manifest) => {
    const tree = treeWith(`
      ${works}
      if (command === "rebuild") {
        mkdirSync("node_modules/.bin");
        writeFileSync("node_modules/.bin/kettle", "");
      }
    `);
    write(tree, {
      "package-lock.json": JSON.stringify({ packages: { ...lock.packages, "apps/kettle": {} } }),
      "apps/kettle/package.json": JSON.stringify({ name: "@tea/kettle" }),
    });
    await bringDependenciesUpToDate(tree);
    write(tree, { "apps/kettle/package.json": JSON.stringify(manifest) });
    for (const _again of [1, 2]) await bringDependenciesUpToDate(tree);
    expect(calls(tree)).toEqual(["ping", "ci", "rebuild"]);
    rmSync(join(tree, "node_modules/.bin"), { recursive: true });
    await bringDependenciesUpToDate(tree);
    expect(calls(tree)).toEqual(["ping", "ci", "rebuild", "rebuild"]);
  });

  test("is left alone when it was made by hand", async () => {
    const tree = treeWith(works);
    await bringDependenciesUpToDate(tree);
    rmSync(join(tree, "node_modules/.baton-lock-digest"));
    await bringDependenciesUpToDate(tree);
    expect(calls(tree)).toEqual(["ping", "ci"]);
  });

  test.each([
    "tea-for-mars@1.0.0 from lock file",
    "tea-for-mars@1.0.0 from lock file\\nnpm error Missing: air-of-mars@1.0.0 from lock file",
  ])("goes on with npm install when npm ci misses only packages for other platforms: %s", async (missing) => {
    const tree = treeWith(`
      if (command === "ci") fail("npm error Missing: ${missing}");
      if (command === "install") install();
    `);
    await bringDependenciesUpToDate(tree);
    expect(calls(tree)).toEqual(["ping", "ci", "install"]);
    expect(printed).toBe("baton: installing dependencies (npm ci)\n");
  });

  test.each([
    ["a package of ours", { "package.json": JSON.stringify({ dependencies: { milk: "1.0.0" } }) }],
    ["a package that every platform installs", { "package-lock.json": JSON.stringify(needsMilk) }],
  ])("fails with npm's message when %s needs what the lock file lacks", async (_, files) => {
    const tree = treeWith('if (command === "ci") fail("npm error Missing: milk@1.0.0 from lock file");');
    write(tree, files);
    await expect(bringDependenciesUpToDate(tree)).rejects.toThrow(
      /npm ci failed; .*\n.*Missing: milk@1\.0\.0/,
    );
    expect(existsSync(join(tree, ".cache/install.lock"))).toBe(false);
  });

  test("reports its progress at intervals", async () => {
    const tree = treeWith(`
      if (command === "ci") {
        mkdirSync("node_modules/tea", { recursive: true });
        writeFileSync("node_modules/tea/package.json", "{}");
        const wait = setInterval(() => {
          if (!require("node:fs").existsSync("go-on")) return;
          clearInterval(wait);
          install();
        }, 10);
      }
    `);
    const installing = bringDependenciesUpToDate(tree, { progressMs: 20 });
    const line = /^baton: still installing, \d+ s, 1 of 2 packages are there$/m;
    await vi.waitFor(() => expect(printed).toMatch(line), { timeout: hangsMs });
    write(tree, { "go-on": "" });
    await installing;
  });
});

describe("without a registry", () => {
  const refused = 'if (command === "ping") fail("npm error code ECONNREFUSED");';

  test("npm's cache may be enough", async () => {
    const tree = treeWith(`${refused} if (command === "ci" && options.includes("--offline")) install();`);
    await bringDependenciesUpToDate(tree);
    expect(calls(tree)).toEqual(["ping", "ci"]);
  });

  test.each([
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ETIMEDOUT",
    "ERR_SOCKET_TIMEOUT",
    "CERT_HAS_EXPIRED",
  ])("%s is reported with the setting to look at, and no address", async (code) => {
    const tree = treeWith(`
        if (command === "ping") fail("npm error code ${code}\\nnpm error GET http://tea.example/-/ping");
        fail("npm error code ENOTCACHED");
      `);
    const failure = await bringDependenciesUpToDate(tree).catch((error: Error) => error.message);
    expect(failure).toMatch(new RegExp(`^npm cannot reach its registry \\(${code}\\), and its cache `));
    expect(failure).toContain(
      '  fix: go online, or name a registry this machine reaches in npm\'s setting "registry"',
    );
    expect(failure).not.toContain("tea.example");
  });

  test("a registry that answers, even with a refusal, is reached", async () => {
    const tree = treeWith(`if (command === "ping") fail("npm error code E404"); ${works}`);
    await bringDependenciesUpToDate(tree);
    expect(readFileSync(join(tree, "calls.txt"), "utf8")).not.toContain("--offline");
  });
});

/** A tree with a lock file and nothing installed, whose npm does this. */
function treeWith(says: string): string {
  const folder = makeFolder();
  write(folder, { "npm-cli.js": fakeNpm(says) });
  vi.stubEnv("npm_execpath", join(folder, "npm-cli.js"));
  return makeTree({ "package-lock.json": JSON.stringify(lock) });
}

function calls(tree: string): string[] {
  const lines = readFileSync(join(tree, "calls.txt"), "utf8").trim().split("\n");
  return lines.map((line) => line.split(" ")[0] ?? "");
}
