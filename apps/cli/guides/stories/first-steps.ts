import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { startLocalModel } from "../../testing/local-model.ts";
import { tree } from "../read-page.ts";
import { runIn } from "./runs.ts";
import type { Stories } from "./story.ts";

export const firstSteps: Stories = {
  "README.md": async (page) => {
    page.listing(" people, scripts");
    page.env.ANTHROPIC_API_KEY = "a-key-that-only-the-test-uses";
    const names = { thought: "Short.", status: "success", data: {}, message: "Hubble, Axle, Wheelhouse" };
    page.put({ "https://api.anthropic.com/v1": await startLocalModel(names) });
    await page.startHub();
    await page.start("mkdir -p scratch", "the greeter is attached");
    const { stdout } = await page.run("id=$(npx baton run");
    expect(stdout).toContain("Hello, Ada!");
    expect(stdout).toContain('"greeting" went to');
    page.save("providers:", "config/models.yaml");
    page.save("profession_pack:", "packs/namer/profession-pack.yaml");
    // The hub looks at the files twice a second.
    await page.prepare("until npx baton agent list | grep -q namer; do sleep 0.2; done");
    expect((await page.run("npx baton run --task-type naming")).stdout).toContain("Hubble, Axle, Wheelhouse");
    for (const folder of foldersIn(page.listing("proto/")))
      expect(existsSync(join(tree, folder)), folder).toBe(true);
  },

  "docs/tutorial/first-agent.md": async (page) => {
    await page.startHub();
    await page.run("mkdir -p scratch/shop");
    const liar = await page.start("cat > scratch/fixer.ts", "the fixer is attached");
    expect((await page.prepare("npx baton agent list")).stdout).toContain("fixer");
    const ran = await page.run("npx baton run --task-type fix", { code: 8, onTerminal: true });
    page.compare(ran.stdout);
    expect((await page.prepare("npx baton inbox")).stdout).toContain("Fix the total");
    liar.interrupt();
    await liar.ended;
    await page.start("cat > scratch/fixer.ts", "the fixer is attached");
    page.put({ ID: runIn(ran) });
    const { stdout } = await page.run("npx baton runs list");
    expect(stdout).toContain("all prices count");
    expect(stdout).toMatch(/completed/i);
  },

  "docs/tutorial/first-message.md": async (page) => {
    const first = page.save("import { assertValid", "scratch/first-message.ts");
    page.compare((await page.run("npx node scratch/first-message.ts")).stdout);
    const breaks = `s/attemptNumber: 1/attemptNumber: 0/; s/acceptanceCriteria: .*/acceptanceCriteria: [],/`;
    await page.prepare(`sed -i.old '${breaks}' ${first}`);
    page.compare((await page.run("npx node scratch/first-message.ts")).stderr);
    const second = page.save("import { AgentResultSchema", "scratch/first-answer.ts");
    expect((await page.prepare(`npx node ${second}`)).stdout).toBe("[]\n");
    await page.prepare(`sed -i.old '/^  evidence: {/,/^  },/d' ${second}`);
    expect((await page.prepare(`npx node ${second}`)).stdout).toContain("evidence");
  },

  "docs/how-to/use-the-json-schemas.md": async (page) => {
    const text = "const text = JSON.stringify({ taskId: 7 });\n";
    const example = page.save("import { readFileSync }", "scratch/schemas.ts");
    await page.prepare(`(echo '${text}'; cat ${example}) > scratch/whole.ts`);
    expect((await page.prepare("npx node scratch/whole.ts")).stderr).toContain("data/taskId must be string");
  },

  "docs/how-to/check-an-agent.md": async (page) => {
    page.saveAhead("import { setTimeout }", "scratch/my-agent.ts");
    const { stdout } = await page.run("npx node conformance/agent/check.ts --transport attached");
    expect(stdout).toMatch(/\n\d+ passed, 0 failed, 4 skipped\n$/);
    for (const line of page.listing("pass  answer").split("\n").slice(0, -1)) {
      const [, name] = line.split(/ +/);
      expect(stdout).toContain(` ${name} `);
    }
  },
};

/** The folders of a tree that is drawn by indentation, with their parents. */
function foldersIn(listing: string): readonly string[] {
  const parents: string[] = [];
  return listing.split("\n").map((line) => {
    const depth = line.search(/\S/) / 2;
    parents.length = depth;
    parents.push(line.trim().split(/ +/)[0] ?? "");
    return parents.join("");
  });
}
