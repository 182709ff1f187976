import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Follower } from "../follow-page.ts";
import { tree } from "../read-page.ts";
import type { Stories } from "./story.ts";

/** What the shorter examples of the page go on from: the agent of its first one. */
const imports = 'import { startAgent, type AgentDefinition } from "@baton/agent";\n';

const task =
  '--task-type write-tests --title "Tests" --accept "they pass" --workspace scratch/shop --follow --keep-waiting';

export const writingAgents: Stories = {
  "docs/how-to/write-an-agent.md": async (page) => {
    page.write("scratch/shop/package.json", '{ "scripts": { "test": "node --version" } }\n');
    await page.reach(page.type("npx baton up"));
    const whole = readFileSync(page.save("import { startAgent }", "scratch/agent.ts"), "utf8");
    const agent = page.type("npx node scratch/agent.ts");
    expect((await page.prepare(`npx baton run ${task}`)).stdout).toContain("all tests pass");
    agent.interrupt();
    await agent.ended;

    await ownProject(page, whole);

    const definition = whole.slice(
      whole.indexOf("startAgent({") + "startAgent(".length,
      whole.lastIndexOf(");"),
    );
    const begin = `${imports}const definition: AgentDefinition = ${definition};\n`;
    const extend = (name: string, beginning: string, before = "", after = "") => {
      const path = page.save(beginning, `scratch/${name}.ts`);
      page.write(`scratch/${name}.ts`, `${begin}${before}${readFileSync(path, "utf8")}${after}`);
      return page.prepare(`npx node scratch/${name}.ts`);
    };
    await extend("leave", "const agent = await startAgent");
    page.put({ "10.0.0.7": "127.0.0.1", "port: 8080": "port: 0" });
    await extend("serve", "import { serveAgent }", "", "process.exit();\n");
    const folder = 'const folder = "scratch/shop";\n';
    const script = "console.log(result.status?.summary, problems.length, turns.length, events.length > 0);\n";
    expect((await extend("try", "import { envelope, runAgent }", folder, script)).stdout).toContain(
      "all tests pass",
    );
  },
};

/** A project beside the clone, which is `baton` there. */
async function ownProject(page: Follower, agent: string): Promise<void> {
  symlinkSync(tree, join(page.folder, "baton"));
  page.env.npm_config_offline = "true";
  await page.run("mkdir greeter");
  page.cwd = join(page.folder, "greeter");
  page.write("greeter/greeter.ts", `${agent}console.log("it is attached");\n`);
  const running = await page.start("../baton/node_modules/.bin/node greeter.ts", "it is attached");
  running.interrupt();
  await running.ended;
  page.save("{", "greeter/tsconfig.json");
  await page.prepare("../baton/node_modules/.bin/tsc");
  page.cwd = page.folder;
}
