import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestImage } from "./checks/released.ts";
import { inTree } from "./tree.ts";

/** What no finding below needs, and no generator: to look at it takes most of a check, and `npm test` has done so. */
const beside = /\.test\.tsx?$|^(apps\/(cli|dashboard)|bench|chaos|simulation|examples|docs\/pictures)\//;

/** The types of the kernel are enough to find a fault in it. */
const otherProjects = /^(packages\/(agent|protocols|runtime)|apps\/server)\/tsconfig\.json$/;

/** One copy of the tree with everything done to it that a check has to find. */
describe("npm run check", () => {
  const copy = mkdtempSync(join(tmpdir(), "baton-check-test-"));
  let output = "";
  let status: number | null = null;

  beforeAll(() => {
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: inTree("."),
      encoding: "utf8",
    });
    const files = listed
      .split("\0")
      .filter((name) => name !== "" && !beside.test(name) && !otherProjects.test(name));
    // Git also lists what was deleted and not committed yet.
    for (const file of files.filter((name) => existsSync(inTree(name)))) {
      cpSync(inTree(file), join(copy, file), { recursive: true });
    }
    symlinkSync(inTree("node_modules"), join(copy, "node_modules"));
    const project = { extends: "./tsconfig.base.json", include: ["*.config.ts"] };
    writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(project));

    appendFileSync(join(copy, "packages/contract/schemas/Ref.schema.json"), "\n");
    const kernel = join(copy, "packages/kernel/src/index.ts");
    writeFileSync(kernel, `import "node:fs";\n${readFileSync(kernel, "utf8")}`);
    writeFileSync(
      join(copy, "packages/kernel/src/versions/told.ts"),
      'import "../index.ts";\nexport const told = 1;\n',
    );
    const proto = join(copy, "proto/vasini/agent/v1/task.proto");
    writeFileSync(proto, readFileSync(proto, "utf8").replace("string title = 2 ", "string title = 17 "));
    appendFileSync(
      join(copy, "packages/runtime/src/stores/sqlite/schema/migrations/0001-everything.sql"),
      "-- One more line.\n",
    );
    // Whatever version is being worked on, the copy says that it is the one released last.
    const manifest = join(copy, "packages/contract/package.json");
    const version = basename(newestImage(copy) ?? "", ".binpb");
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, "utf8")), version }));

    const run = spawnSync(process.execPath, [join(copy, "scripts/check.ts")], {
      cwd: copy,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1", PATH: `${inTree("node_modules/.bin")}:${process.env.PATH}` },
    });
    output = run.stdout + run.stderr;
    status = run.status;
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** What the check says of one step: its line, and the indented lines below it. */
  const report = (step: string) => {
    const lines = output.split("\n");
    const first = lines.findIndex((line) => new RegExp(`^(passed|failed|skipped) +${step}  `).test(line));
    const rest = lines.slice(first + 1);
    const end = rest.findIndex((line) => /^\S/.test(line));
    return [lines[first], ...rest.slice(0, end === -1 ? undefined : end)].join("\n");
  };

  it("fails", () => expect(status).toBe(1));

  it("[CON-07] finds a generated file that was edited", () => {
    expect(report("generated files")).toMatch(/^failed/);
    expect(report("generated files")).toContain("changed  packages/contract/schemas/Ref.schema.json");
  });

  it("finds a kernel file that imports node:fs, by its types and by its layer", () => {
    for (const step of ["types", "layers"]) {
      expect(report(step)).toMatch(/^failed/);
      expect(report(step)).toMatch(/packages\/kernel\/src\/index\.ts[:(]1\D/);
    }
  });

  it("finds folders that import each other, and a retired word", () => {
    expect(report("folders")).toMatch(/^failed/);
    expect(report("folders")).toContain(
      "packages/kernel/src/versions/told.ts imports packages/kernel/src/index.ts",
    );
    expect(report("glossary")).toMatch(/^failed/);
    expect(report("glossary")).toContain('packages/kernel/src/versions/told.ts:2  "told"');
  });

  it("[PIP-11] finds a migration that was changed", () => {
    expect(report("migrations")).toMatch(/^failed/);
    expect(report("migrations")).toContain("sqlite/schema/migrations/0001-everything.sql");
  });

  it("[CON-08] finds a field that was renumbered since the release", () => {
    expect(report("contract against released")).toMatch(/^failed/);
    expect(report("contract against released")).toMatch(
      /proto\/vasini\/agent\/v1\/task\.proto:\d+:\d+:.*"title"/,
    );
  });

  it("[CON-08] finds a contract that has changed and kept its version", () => {
    expect(report("contract against its version")).toMatch(/^failed/);
    expect(report("contract against its version")).toContain("differs  proto/vasini/agent/v1/task.proto");
  });
});
