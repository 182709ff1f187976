import { createHash } from "node:crypto";
import { link, mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { AgentResultSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../processes/run-command.ts";
import { checkPath } from "./check-path.ts";
import { digestInside } from "./digest-inside.ts";
import { inspectArtifacts } from "./inspect-artifacts.ts";
import { openInside } from "./open-inside.ts";

const secret = "what lies outside";
const never = new AbortController().signal;
let outside = "";
let folder = "";

beforeAll(async () => {
  outside = await realpath(await mkdtemp(join(tmpdir(), "baton-inside-")));
  folder = join(outside, "work");
  await mkdir(join(folder, "src/deep"), { recursive: true });
  await mkdir(join(folder, ".git"));
  await writeFile(join(outside, "secret"), secret);
  await writeFile(join(folder, "plain"), "inside");
  await writeFile(join(folder, "src/deep/file.ts"), "inside");
  await writeFile(join(folder, ".git/config"), secret);
  await symlink(join(outside, "secret"), join(folder, "link"));
  await symlink("../secret", join(folder, "near-link"));
  await symlink(outside, join(folder, "up"));
  await symlink("src", join(folder, "within"));
  await symlink(".git", join(folder, "own"));
  await symlink("round", join(folder, "round"));
  await runCommand(
    { file: "mkfifo", args: [join(folder, "pipe")], directory: folder },
    { timeoutMs: 10_000, outputBytes: 1_000 },
    never,
  );
});
afterAll(() => rm(outside, { recursive: true, force: true }));

async function contentOf(path: string): Promise<string> {
  const opened = await openInside(folder, path);
  if (!opened.ok) return `refused: ${opened.reason}`;
  try {
    return await opened.file.readFile("utf8");
  } finally {
    await opened.file.close();
  }
}

describe("a file that an agent names", () => {
  it.each(["plain", "src/deep/file.ts"])("[PIP-07] is opened below its folder: %s", async (path) => {
    expect(await contentOf(path)).toBe("inside");
  });

  it.each([
    ["nothing", ""],
    ["the folder itself", "."],
    ["the folder above", ".."],
    ["above", "../secret"],
    ["above, by a way round", "src/../../secret"],
    ["above, from deep below", "src/deep/../../../secret"],
    ["a dot on the way", "./plain"],
    ["an empty part", "src//deep"],
    ["a slash at the end", "src/"],
    ["an absolute path", "/etc/passwd"],
    ["two slashes", "//etc/passwd"],
    ["a backslash", "..\\secret"],
    ["a mixed way", "src\\..\\..\\secret"],
    ["a drive", "C:\\secret"],
    ["a drive with slashes", "C:/secret"],
    ["a drive without any", "C:secret"],
    ["a device", "\\\\?\\C:\\secret"],
    ["a second stream", "plain:hidden"],
    ["a NUL at the end", "plain\0"],
    ["a NUL in between", "plain\0/../../secret"],
    ["a line break", "plain\n"],
    ["half a character", "plain\ud800"],
    ["git's folder", ".git/config"],
    ["git's folder, deeper", "src/.git/config"],
    ["git's folder in capitals", ".GIT/config"],
    ["git's folder in mixed case", ".GiT/config"],
    ["git's folder with a dot behind", ".git./config"],
    ["git's folder with a space behind", ".git /config"],
    ["git's folder by its short name", "GIT~1/config"],
    ["git's folder with an invisible character", ".g\u200cit/config"],
    ["git's folder in wide letters", ".ｇｉｔ/config"],
    ["git's file", ".git"],
    ["dots with a space", ".. /secret"],
    ["three dots", ".../secret"],
    ["a link to a file", "link"],
    ["a link to a file nearby", "near-link"],
    ["a file behind a link to a folder", "up/secret"],
    ["a link that stays inside", "within/deep/file.ts"],
    ["git's folder behind a link", "own/config"],
    ["a link to itself", "round"],
    ["a folder", "src"],
    ["a pipe, without waiting for it", "pipe"],
    ["a name that is too long", "a".repeat(256)],
    ["a path that is too long", "a/".repeat(3_000)],
    ["other letters than it has", "PLAIN"],
  ])("[PIP-07] is never %s", async (_, path) => {
    expect(await contentOf(path)).toMatch(/^refused: (it|its path|a part) /);
  });

  it("[PIP-07] is distinguished from a missing one", async () => {
    expect(await openInside(folder, "src/none")).toMatchObject({ ok: false, missing: true });
    expect(await openInside(folder, "plain/none")).toMatchObject({ ok: false, missing: true });
    expect(await openInside(folder, "link")).toMatchObject({ ok: false, missing: false });
    expect(await openInside(join(folder, "no-folder"), "plain")).toMatchObject({ ok: false });
  });

  it("[PIP-07] is below the folder for every name, or is refused", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "..",
        ".",
        "",
        "/",
        "\\",
        "\0",
        ".git",
        ".GIT",
        "C:",
        "~",
        "src",
        "up",
        "a",
        " ",
        "%2e",
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
    );
    const paths = fc.array(piece, { maxLength: 8 }).chain((parts) => {
      return fc.constantFrom("/", "\\", "").map((between) => parts.join(between));
    });
    fc.assert(
      fc.property(paths, (path) => {
        const checked = checkPath(path);
        if (!checked.ok) return;
        expect(checked.parts.join("/")).toBe(path);
        const way = relative(folder, resolve(folder, path));
        expect(way).toBe(checked.parts.join(sep));
        expect(way.split(sep)).not.toContain("..");
        expect(way.toLowerCase().split(sep)).not.toContain(".git");
      }),
      { numRuns: 2_000 },
    );
  });

  it("[PIP-07] never exposes a file outside, however it is named", async () => {
    const piece = fc.constantFrom(
      "..",
      ".",
      "",
      "up",
      "link",
      "near-link",
      "own",
      "within",
      "secret",
      "config",
      ".git",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 5 }), async (parts) => {
        expect(await contentOf(parts.join("/"))).not.toBe(secret);
      }),
      { numRuns: 500 },
    );
  });

  it("[PIP-07] is digested by its bytes, up to a size", async () => {
    const sha256 = createHash("sha256").update("inside").digest("hex");
    expect(await digestInside(folder, "plain", 6, never)).toEqual({
      ok: true,
      digest: `sha256:${sha256}`,
      bytes: 6,
    });
    expect(await digestInside(folder, "plain", 5, never)).toMatchObject({
      ok: false,
      reason: "it has more than 5 bytes, the limit of one file",
    });
    expect(await digestInside(folder, "../secret", 100, never)).toMatchObject({ ok: false, missing: false });
  });

  it("[PIP-07] is unread, with the reason, beyond the total bytes and time", async () => {
    const named = (...paths: string[]) =>
      create(AgentResultSchema, { artifacts: paths.map((path) => ({ path })) }).artifacts;
    const limits = { maxArtifacts: 10, maxArtifactBytes: 100, maxTotalArtifactBytes: 9, artifactsMs: 60_000 };
    const all = named("plain", "src/deep/file.ts", "nowhere");
    expect(await inspectArtifacts(folder, all, limits, never)).toMatchObject([
      { state: "there" },
      { state: "unread", reason: "all files together have more than 9 bytes" },
      { state: "missing" },
    ]);
    await writeFile(join(folder, "huge"), "");
    await truncate(join(folder, "huge"), 2 ** 34);
    const hurried = { ...limits, maxArtifactBytes: 2 ** 40, maxTotalArtifactBytes: 2 ** 40, artifactsMs: 20 };
    const reason = "checking all files took more than 0.02 s";
    expect(await inspectArtifacts(folder, named("huge", "plain"), hurried, never)).toEqual([
      { path: "huge", state: "unread", reason },
      { path: "plain", state: "unread", reason },
    ]);
  });

  it("may have two names: a hard link exposes nothing that reading would not", async () => {
    await link(join(folder, "plain"), join(folder, "twin"));
    expect(await contentOf("twin")).toBe("inside");
  });
});
