import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeTree } from "../testing/repository.ts";
import { whyUnreachable } from "./npm.mjs";

test("a registry that takes the question and never answers is not waited for", async () => {
  const folder = makeTree({ "npm-cli.js": "setInterval(() => {}, 1000);" });
  vi.stubEnv("npm_execpath", join(folder, "npm-cli.js"));
  expect(await whyUnreachable(folder, 1_000)).toBe("no answer for 1 s");
});
