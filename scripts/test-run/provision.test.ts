import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { makeFolder } from "../testing/repository.ts";
import { type Component, provision } from "./provision.ts";
import { addMissing, describeFindings, noFindings, total } from "./summary.ts";

/** What a machine has is what these tests put there: PATH holds their stubs, and nothing is ever installed. */
const variable = "BATON_ABACUS";
let folder = "";
let path = "";
let abacus: Component;
let aptMark = "";

beforeEach(() => {
  folder = makeFolder();
  path = join(makeFolder(), "abacus");
  aptMark = join(makeFolder(), "apt-was-called");
  abacus = {
    id: "abacus",
    neededBy: "the suites that count",
    variable,
    candidates: ["abacus", path],
    probe: ["--count", "1"],
    debianPackages: ["abacus-bin"],
  };
  writeStub(join(folder, "apt-get"), `: > ${aptMark}`);
  vi.stubEnv("PATH", folder);
  vi.stubEnv("BATON_PROVISION", "look");
  const chosen = [
    variable,
    "BATON_PYTHON",
    "BATON_PYTHON_GRPC",
    "BATON_PROTOC",
    "BATON_BWRAP",
    "BATON_CHROMIUM",
  ];
  for (const name of [...chosen, "CI"]) vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
});

describe("a component is found", () => {
  test("where its variable says", async () => {
    const chosen = join(makeFolder(), "my-abacus");
    writeStub(chosen);
    writeStub(join(folder, "abacus"));
    vi.stubEnv(variable, chosen);
    expect(await provision([abacus])).toEqual([]);
    expect(process.env[variable]).toBe(chosen);
  });

  test("on PATH", async () => {
    writeStub(join(folder, "abacus"));
    writeStub(path);
    expect(await provision([abacus])).toEqual([]);
    expect(process.env[variable]).toBe(join(folder, "abacus"));
  });

  test("further down PATH, when the first of that name fails the probe", async () => {
    const second = makeFolder();
    writeStub(join(folder, "abacus"), "exit 1");
    writeStub(join(second, "abacus"));
    vi.stubEnv("PATH", [folder, second].join(delimiter));
    expect(await provision([abacus])).toEqual([]);
    expect(process.env[variable]).toBe(join(second, "abacus"));
  });

  test("in its path place, when PATH has none", async () => {
    writeStub(path);
    expect(await provision([abacus])).toEqual([]);
    expect(process.env[variable]).toBe(path);
  });

  test("elsewhere, when the one its variable names fails the probe, and the user is informed", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    writeStub(join(folder, "wrong"), "exit 1");
    writeStub(path);
    vi.stubEnv(variable, join(folder, "wrong"));
    expect(await provision([abacus])).toEqual([]);
    expect(process.env[variable]).toBe(path);
    expect(printed.mock.calls).toEqual([
      [`${variable} is set, but this fails: ${join(folder, "wrong")} --count 1; looking elsewhere`],
    ]);
    printed.mockRestore();
  });

  test("only with the arguments of its probe", async () => {
    writeStub(join(folder, "abacus"), '[ "$*" = "--count 1" ]');
    expect(await provision([abacus])).toEqual([]);
    writeStub(join(folder, "abacus"), '[ "$*" = "--count 2" ]');
    vi.stubEnv(variable, undefined);
    expect(await provision([abacus])).toHaveLength(1);
  });
});

describe("a component that is missing", () => {
  const message =
    "abacus is missing: skips the suites that count; install abacus-bin (Debian), or set BATON_ABACUS";

  test("is reported in one line, and its variable is unset so that suites skip", async () => {
    expect(await provision([abacus])).toEqual([{ id: "abacus", message }]);
    expect(process.env).not.toHaveProperty(variable);
    expect(message).not.toContain("\n");
  });

  test("is also one whose every candidate fails the probe, or cannot be started", async () => {
    vi.spyOn(console, "error").mockImplementationOnce(() => {});
    writeStub(join(folder, "abacus"), "exit 1");
    writeFileSync(path, "not a program");
    vi.stubEnv(variable, join(folder, "nowhere"));
    expect(await provision([abacus])).toEqual([{ id: "abacus", message }]);
    expect(process.env).not.toHaveProperty(variable);
  });

  test("is not installed under BATON_PROVISION=look", async () => {
    await provision([abacus]);
    expect(existsSync(aptMark)).toBe(false);
  });

  test("is one line among the skips without CI", async () => {
    const findings = noFindings();
    addMissing(findings, await provision([abacus]));
    expect(findings).toEqual({ sections: [], failures: [], skips: [message] });
  });

  test("is a failure with CI=true, counted in the last line", async () => {
    vi.stubEnv("CI", "true");
    const findings = noFindings();
    addMissing(findings, await provision([abacus]));
    expect(findings).toMatchObject({ failures: [message], skips: [] });
    expect(total(findings).failed).toBe(1);
    expect(describeFindings(findings).at(-1)).toBe("0 passed, 1 failed");
  });

  test("leaves no trace with CI=true when it is found after all", async () => {
    vi.stubEnv("CI", "true");
    writeStub(path);
    const findings = noFindings();
    addMissing(findings, await provision([abacus]));
    expect(findings).toEqual(noFindings());
  });
});

test("Python, Python with gRPC, protoc and bubblewrap are what the suites of this repository need", async () => {
  const imports = '[ "$2" = "import google.protobuf" ] || [ "$2" = "import google.protobuf, grpc" ]';
  writeStub(join(folder, "python3"), `[ "$1" = "-c" ] && { ${imports}; }`);
  writeStub(join(folder, "protoc"), '[ "$2" = "google/protobuf/descriptor.proto" ]');
  writeStub(join(folder, "chromium"), '[ "$1" = "--version" ]');
  writeStub(join(folder, "bwrap"), '[ "$1" = "--unshare-all" ]');
  expect(await provision()).toEqual([]);
  expect(process.env.BATON_BWRAP).toBe(join(folder, "bwrap"));
  expect(process.env.BATON_PYTHON).toBe(join(folder, "python3"));
  expect(process.env.BATON_PYTHON_GRPC).toBe(join(folder, "python3"));
  expect(process.env.BATON_PROTOC).toBe(join(folder, "protoc"));
});

function writeStub(path: string, body = "exit 0"): void {
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}
