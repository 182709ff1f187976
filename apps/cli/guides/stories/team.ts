import { join } from "node:path";
import type { Follower } from "../follow-page.ts";

/** Two agents that the pages about runs require. The developer adds a file to the workspace, the reviewer accepts it. */
const agents = `import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startAgent } from "@baton/agent";

const common = { version: "1.0.0", tools: ["git", "node", "npm"], safetyTier: "critical", capacity: 4 } as const;
await startAgent({
  ...common,
  pack: "developer",
  taskTypes: ["feature-implementation", "implement", "update-dependencies"],
  async run(task) {
    if (task.inputs.hang === "yes") await new Promise((_, stop) => task.signal.addEventListener("abort", stop));
    if (task.inputs.fail === "yes") return task.failure("as it was asked to", { retryable: false });
    await writeFile(join(task.workspace ?? ".", "login.js"), "export const login = 200;\\n");
    return task.success("the page is there", { data: { size: task.inputs.size ?? "small" } });
  },
});
await startAgent({
  ...common,
  pack: "reviewer",
  role: "reviewer",
  taskTypes: ["code-review"],
  run: async (task) => (task.inputs.fail === "review" ? task.failure("unclear") : task.success("it is fine")),
});
console.log("both are attached");
`;

/** The repository `~/shop` of the pages. Its tests pass. */
export async function makeShop(page: Follower): Promise<string> {
  page.write(".home/shop/package.json", '{ "type": "module", "scripts": { "test": "node --test" } }\n');
  page.write(".home/shop/login.test.js", 'import test from "node:test";\ntest("nothing fails", () => {});\n');
  const identity = "git config --global user.name Ada && git config --global user.email ada@example.com";
  const commit = "git init --quiet --initial-branch main && git add . && git commit --quiet --message begin";
  await page.prepare(`${identity} && cd ~/shop && ${commit}`);
  return join(page.folder, ".home/shop");
}

/** Attaches them to the hub of the page. */
export async function startTeam(page: Follower): Promise<void> {
  page.write("scratch/team.ts", agents);
  await page.type("npx node scratch/team.ts").printed("both are attached");
}
