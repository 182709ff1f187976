import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../testing/real-hub.ts";
import { guides } from "./pages.ts";
import { readPage, tree } from "./read-page.ts";

const definition = `import type { AgentDefinition } from "@baton/agent";\ndeclare const definition: AgentDefinition;\n`;

/** What the parts of a program go on from: the page says it in words, or shows it further above. */
const before: Readonly<Record<string, string>> = {
  "const agent = await startAgent": `import { startAgent } from "@baton/agent";\n${definition}`,
  "import { serveAgent }": definition,
  "import { envelope, runAgent }": `${definition}declare const folder: string;\n`,
  "import { readFileSync } from": "declare const text: string;\n",
};

/** TypeScript that stands on a page: files, and what a shell writes into them. */
function examplesOf(page: string): readonly string[] {
  return readPage(page).flatMap(({ language, text }) => {
    if (language === "ts") return [text];
    const written = text.matchAll(/cat > \S+\.ts <<'(\w+)'\n([\s\S]*?)\n\1$/gm);
    return [...written].map(([, , program = ""]) => program);
  });
}

it("shows only TypeScript that type-checks as strictly as Baton itself does", () => {
  const folder = scratchFolder();
  symlinkSync(join(tree, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const compilerOptions = { types: ["node"] };
  const config = { extends: join(tree, "tsconfig.base.json"), compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const used = new Set<string>();
  for (const page of guides) {
    for (const [index, example] of examplesOf(page).entries()) {
      const beginning = Object.keys(before).find((text) => example.startsWith(text));
      if (beginning !== undefined) used.add(beginning);
      const name = `${page.replaceAll(/\W/g, "-")}-${index + 1}.ts`;
      writeFileSync(join(folder, name), `${before[beginning ?? ""] ?? ""}${example}\n`);
    }
  }
  const checked = spawnSync(join(tree, "node_modules/.bin/tsc"), ["--project", folder], { encoding: "utf8" });
  expect([checked.status, checked.stdout]).toEqual([0, ""]);
  expect([...used].sort()).toEqual(Object.keys(before).sort());
});
