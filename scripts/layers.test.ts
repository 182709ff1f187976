import { describe, expect, test } from "vitest";
import { checkFile } from "./layers.ts";

const kernelFile = "packages/kernel/src/dispatch/rank.ts";

describe("imports of Node modules", () => {
  test.each([
    ['import { readFileSync } from "node:fs";'],
    ['import type { Stats } from "node:fs";'],
    ['import "fs/promises";'],
    ['export { readFileSync } from "node:fs";'],
    ['export * from "node:fs";'],
    ['const fs = await import("node:fs");'],
    ["const fs = await import(`node:fs`);"],
    ['let stats: import("node:fs").Stats;'],
    ['/// <reference types="node" />\nexport {};'],
  ])("are found in the kernel: %s", (source) => {
    expect(checkFile(kernelFile, source)).toHaveLength(1);
    expect(checkFile("packages/contract/src/validation/validate.ts", source)).toHaveLength(1);
  });

  test("are reported with the position, the rule, the reason and the fix", () => {
    expect(checkFile(kernelFile, 'const a = 1;\nimport fs from "node:fs";\n')).toEqual([
      [
        'packages/kernel/src/dispatch/rank.ts:2:1  imports "node:fs"',
        "  rule: contract and kernel import no Node module",
        "  why:  what decides must run the same in the hub, in a browser and on a virtual clock",
        "  fix:  take the value as an argument, or move the code that touches the world to packages/runtime",
      ].join("\n"),
    ]);
  });

  test("are fine in the kernel's tests, in test helpers and in the runtime", () => {
    const source = 'import fs from "node:fs";';
    expect(checkFile("packages/kernel/src/dispatch/rank.test.ts", source)).toEqual([]);
    expect(checkFile("packages/contract/testing/any-message.ts", source)).toEqual([]);
    expect(checkFile("packages/runtime/src/stores/sqlite.ts", source)).toEqual([]);
  });

  test("are not seen where there are none: in comments, strings, templates and expressions", () => {
    const source = `
      // import fs from "node:fs";
      /* export * from "node:fs"; */
      /** @example import "node:fs" */
      const text = 'import fs from "node:fs"';
      const template = \`\${text} import("node:fs") // \`;
      const pattern = /import "node:fs"/;
      const division = 4 / 2; // "
      export { text, template, pattern, division };
    `;
    expect(checkFile(kernelFile, source)).toEqual([]);
  });
});

describe("imports of our own packages", () => {
  test.each([
    ["packages/contract/src/a.ts", "@baton/kernel"],
    ["packages/kernel/src/a.ts", "@baton/runtime"],
    ["packages/kernel/src/a.ts", "@baton/protocols/saop"],
    ["packages/agent/src/a.ts", "@baton/kernel"],
    ["packages/agent/src/a.ts", "@baton/kernel/dispatch"],
    ["packages/protocols/src/a.ts", "@baton/kernel"],
    ["apps/cli/src/a.ts", "@baton/agent"],
    ["apps/cli/src/a.ts", "@baton/kernel"],
    ["apps/dashboard/src/a.tsx", "@baton/runtime"],
    ["packages/runtime/src/a.ts", "@baton/server"],
    ["packages/runtime/src/a.ts", "@baton/conformance"],
    ["packages/kernel/src/a.ts", "@baton/kernal"],
  ])("%s may not import %s", (file, name) => {
    expect(checkFile(file, `import type { A } from "${name}";`)).toHaveLength(1);
  });

  test.each([
    ["packages/kernel/src/a.ts", "@baton/contract"],
    ["packages/kernel/src/a.ts", "@bufbuild/cel"],
    ["packages/runtime/src/a.ts", "@baton/kernel"],
    ["packages/runtime/src/a.test.ts", "@baton/conformance"],
    ["apps/server/src/a.ts", "@baton/runtime"],
    ["apps/cli/src/a.ts", "@baton/kernel/audit"],
    ["packages/agent/src/a.ts", "@baton/protocols"],
    ["conformance/stores/a.ts", "@baton/kernel"],
    ["examples/tour/a.ts", "@baton/agent"],
    ["packages/contract/src/a.ts", "@baton/contract/gen"],
  ])("%s may import %s", (file, name) => {
    expect(checkFile(file, `export * from "${name}";`)).toEqual([]);
  });

  test("a relative path may not cross from one package into another", () => {
    const [problem, ...others] = checkFile(
      "packages/agent/src/a.ts",
      'import "../../contract/src/index.ts";',
    );
    expect(others).toEqual([]);
    expect(problem).toContain("no relative import crosses");
    expect(problem).toContain('fix:  import "@baton/contract"');
    expect(checkFile("packages/kernel/src/fleet/a.ts", 'import "../dispatch/rank.ts";')).toEqual([]);
  });
});

describe("globals in the kernel", () => {
  test.each([
    ["Date.now()", "Date.now"],
    ["new Date()", "new Date()"],
    ["new Date", "new Date()"],
    ["Date()", "Date()"],
    ["Date(0)", "Date()"],
    ["new Date(...given)", "new Date()"],
    ["new Date(2026, 0)", "new Date(year, month)"],
    ['Date["now"]()', "Date.now"],
    ["Date[name]()", "Date.now"],
    ["Date.parse(text)", "Date.parse"],
    ["const { now } = Date", "Date.now"],
    ["Math.random()", "Math.random"],
    ["const { random } = Math", "Math.random"],
    ["process.env.HOME", "process"],
    ["setTimeout(f, 1)", "setTimeout"],
    ["globalThis.fetch(u)", "globalThis"],
    ["(fetch as any)(u)", "fetch"],
    ["const io = { fetch }", "fetch"],
    ["crypto.randomUUID()", "crypto"],
    ["new Intl.DateTimeFormat()", "Intl"],
    ["Temporal.Now.instant()", "Temporal"],
    ["new WeakRef(state)", "WeakRef"],
    ["new FinalizationRegistry(f)", "FinalizationRegistry"],
    ["Atomics.load(shared, 0)", "Atomics"],
    ["new SharedArrayBuffer(8)", "SharedArrayBuffer"],
    ["import.meta.url", "import.meta"],
    ["new Date(atMs).getHours()", ".getHours"],
    ["at.setMonth(1)", ".setMonth"],
    ["at.getDay()", ".getDay"],
    ["at.getTimezoneOffset()", ".getTimezoneOffset"],
    ["at?.toTimeString()", ".toTimeString"],
    ['at["getDate"]()', ".getDate"],
    ["const { getMinutes } = at", ".getMinutes"],
    ["const { getMinutes: minutes } = at", ".getMinutes"],
    ["count.toLocaleString()", ".toLocaleString"],
    ["name.toLocaleLowerCase()", ".toLocaleLowerCase"],
    ["names.sort((a, b) => a.localeCompare(b))", ".localeCompare"],
  ])("%s is found", (source, name) => {
    const problems = checkFile(kernelFile, source);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`uses ${name}`);
  });

  test.each([
    ["new Date(atMs)"],
    ["Date.UTC(2020, 1)"],
    ["value instanceof Date"],
    ["Math.max(1, 2)"],
    ["interface Port { fetch(id: string): Date }"],
    ["const limits = { process: 1 }; limits.process"],
    ["function run(process: Process) { return process.id }"],
    ["const crypto = digest(); crypto.of(1)"],
    ["const { fetch: load } = port; load()"],
    ["new Date(atMs).toISOString()"],
    ["at.getUTCHours() + at.getTime()"],
    ["class Made { constructor() { this.kind = new.target } }"],
    ["interface Clock { getHours(): Intl.NumberFormat }"],
    ["const clock = { getHours: 1 }"],
    ["name.toLowerCase()"],
  ])("%s is fine", (source) => {
    expect(checkFile(kernelFile, source)).toEqual([]);
  });

  test("are the business of no other package", () => {
    expect(checkFile("packages/runtime/src/clock.ts", "export const now = () => Date.now();")).toEqual([]);
    expect(checkFile("packages/kernel/src/rank.test.ts", "Math.random()")).toEqual([]);
  });
});
