import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildPage } from "./build-page.ts";
import { stampOf } from "./stamp.ts";

it("changes with the sources of the page, and with nothing else", () => {
  const root = mkdtempSync(join(tmpdir(), "baton-stamp-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    return stampOf(root);
  };
  const first = write("apps/dashboard/src/main.tsx", "one");
  expect(write("apps/dashboard/src/main.test.ts", "a test")).toBe(first);
  expect(write("apps/server/src/main.ts", "of somebody else")).toBe(first);
  const second = write("apps/dashboard/src/main.tsx", "two");
  expect(second).not.toBe(first);
  const third = write("packages/contract/gen/task_pb.js", "generated");
  expect(third).not.toBe(second);
  const fourth = write("packages/kernel/src/deciding/consequences.ts", "what will happen");
  expect(fourth).not.toBe(third);
  expect(write("packages/contract/schemas/SubmitTaskRequest.schema.json", "{}")).not.toBe(fourth);
});

it("is built only when its sources have changed", async () => {
  await buildPage();
  expect(await buildPage()).toMatchObject({ built: false });
});
