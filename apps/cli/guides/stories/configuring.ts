import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { freePort } from "../../testing/free-port.ts";
import { startLocalModel } from "../../testing/local-model.ts";
import type { Stories } from "./story.ts";

const check = "npx baton check . --strict";

export const configuring: Stories = {
  "docs/how-to/configure-a-project.md": async (page) => {
    const hub = await page.start("npx baton init scratch/hub", "ready", { onTerminal: true });
    for (const line of page.listing("config/routing-policy.yaml").split("\n")) {
      const [path = ""] = line.split(" ");
      expect(existsSync(join(page.folder, "scratch/hub", path)), path).toBe(true);
    }
    await page.run("mkdir scratch/hub/packs");
    // A hub that looks between two changes reports them in two lines.
    const [, changes = ""] =
      /changes=(\[.*\])/.exec(page.output("info   the configuration has changed")) ?? [];
    for (const change of JSON.parse(changes)) await hub.printed(JSON.stringify(change));
    await page.prepare(
      "sed -i.old 's/min_risk_tier: .*/min_risk_tier: HUGE/' scratch/hub/config/routing-policy.yaml",
    );
    const { stdout, stderr } = await page.run("npx baton check scratch/hub", { code: 2 });
    page.compare(`${stdout}\n${stderr}`);
  },

  "docs/how-to/write-a-template.md": async (page) => {
    await page.startHub("mkdir -p scratch");
    const { stdout } = await page.run("npx baton run letter", {});
    expect(stdout).toMatch(/write[\s\S]*read/);
    await page.start("cat > scratch/two-agents.ts", "both are attached");
    const ran = await page.run("npx baton run letter", { onTerminal: true });
    expect(ran.stdout).toMatch(/rejects[\s\S]*say when to come[\s\S]*completed/);
  },

  "docs/how-to/limit-what-agents-spend.md": async (page) => {
    await page.startHub("mkdir -p scratch/spend/config");
    await page.start("cat > scratch/spend/reader.ts", "the reader is attached");
    const { stdout } = await page.run("npx baton run --task-type reading", {});
    const today = /\d{4}-\d\d-\d\d(?=T00:00Z)/;
    const [day = ""] = today.exec(stdout) ?? [];
    const [month = ""] = new RegExp(`(?<=\\$300\\.00 +)${today.source}`).exec(stdout) ?? [];
    page.compare(
      stdout.slice(stdout.indexOf("MODEL")).replaceAll(month, "2026-04-01").replaceAll(day, "2026-03-15"),
    );
    const raised = await page.run("id=$(npx baton run --task-type reading", {});
    expect(raised.stdout).toContain("50,000 tokens of it for today");
    expect(raised.stdout).toContain("completed");
  },

  "docs/how-to/receive-results.md": async (page) => {
    page.put({ "8090": String(await freePort()) });
    const receiver = await page.start("mkdir -p scratch/hooks/config", "the receiver listens");
    const hub = await page.startHub("cat > scratch/hooks/config/webhooks.yaml");
    await page.start("cat > scratch/hooks/agent.ts", "the artist is attached");
    await page.run("npx baton run --task-type drawing", { code: 7 });
    for (const line of page.output("/result").split("\n")) await receiver.printed(line);
    page.compare((await page.run("curl")).stdout);
    await receiver.printed("refused: not signed by the hub");
    page.save("webhooks:", "scratch/hooks/config/webhooks.yaml");
    await hub.printed("webhooks changed");
  },

  "docs/how-to/write-a-workflow.md": async (page) => {
    const drawn = await page.run("mkdir -p scratch/post/workflows", {});
    page.compare(drawn.stdout);
    await page.startHub("npx baton up --project scratch/post");
    await page.start("cat > scratch/post-office.ts", "the post office is open");
    const ran = await page.run("npx baton workflow list", {});
    expect(ran.stdout).toMatch(/letter +4 +4 +send/);
    page.compare(ran.stdout);
    await page.prepare("sed -i.old 's/data.score >/data.scor >/' scratch/post/workflows/letter.yaml");
    const { stdout } = await page.prepare("cd scratch/post && npx baton check . || true");
    page.compare(stdout);
  },

  "docs/how-to/test-an-agent.md": async (page) => {
    const tested = await page.run("mkdir -p scratch/letters");
    expect(tested.stdout).toMatch(/pass 2\n/);
    await page.startHub("cat > scratch/letters/workflows");
    await page.start("cat > scratch/letters/agents.ts", "writer and grader are attached");
    const first = await page.run("npx baton eval scratch/letters/evals/letter.yaml --as first");
    page.compare(first.stdout);
    const second = await page.run("npx baton eval scratch/letters/evals/letter.yaml --as second");
    expect(second.stdout).toMatch(/FIRST: PASSED .* SECOND: PASSED/);
  },

  "docs/how-to/write-a-routing-policy.md": async (page) => {
    await page.startHub("mkdir -p scratch");
    await page.start("cat > scratch/writers.ts", "all are attached");
    const { stdout } = await page.run("id=$(npx baton run");
    page.put({ "64bd…": "…", "8c11…": "…" });
    page.compare(stdout);
    const task = '--title "A letter" --accept "it is polite" --follow';
    const fallback = await page.prepare(`npx baton run --task-type reading ${task}`);
    expect(fallback.stdout).toContain("written by the clerk");
    const painting = '--task-type painting --title "A picture" --accept "it is bright"';
    const why = await page.prepare(`npx baton why $(npx baton run ${painting} --no-follow)`);
    expect(why.stdout).toContain("painting");
    // The page shows one section of a policy: it replaces that section of the starting set.
    await page.prepare("npx baton init reviewed");
    const section = page.save("routing_policy:\n  review:", "review.yaml");
    const policy = "reviewed/config/routing-policy.yaml";
    await page.prepare(
      `sed -i.old -e '/^  review:/,/critical:/d' ${policy} && tail -n +2 ${section} >> ${policy}`,
    );
    await page.prepare("npx baton check reviewed --strict");
  },

  "docs/how-to/write-a-pack.md": async (page) => {
    const pack = page.save("profession_pack:", "packs/proof-reader/profession-pack.yaml");
    await page.prepare(check);
    await page.reach(page.type("npx baton up"));
    await page.prepare(`sed -i.old 's/Reads what/Finds what/' ${pack}`);
    const { code, stdout } = await page.type("npx baton check").ended;
    expect(code).toBe(2);
    page.compare(stdout);
  },

  "docs/how-to/write-a-redaction-policy.md": async (page) => {
    page.save("redaction_policy:", "config/redaction-policy.yaml");
    await page.prepare(check);
  },

  "docs/how-to/write-a-constitution.md": async (page) => {
    page.save("constitution:", "config/constitution.yaml");
    await page.run("npx baton check");
  },

  "docs/how-to/write-guardrails.md": async (page) => {
    page.save("guardrails:", "config/guardrails.yaml");
    page.save('let text = "";', "config/no-promises.mjs");
    await page.prepare("npx baton check .");
    const { stdout } = await page.run('echo \'{"message"', { code: 1 });
    page.compare(stdout);
  },

  "docs/how-to/use-a-command-as-an-agent.md": async (page) => {
    const pack = page.save("profession_pack:", "packs/release-notes/profession-pack.yaml");
    page.save("import { readFileSync }", "packs/release-notes/write-notes.mjs");
    await page.prepare(check);
    await page.reach(page.type("npx baton up"));
    expect((await page.prepare("npx baton agent list")).stdout).toContain("release-notes");
    const task = '--task-type release-notes --title "Notes" --accept "there are some"';
    const ran = await page.prepare(`npx baton run ${task} --input 'commits:=["a","b"]' --follow --verbose`);
    expect(ran.stdout).toContain("2 commits");
    expect(ran.stdout).toContain("Wrote the notes");
    const more = page.save('command:\n  run: ["my-agent"]', "packs/other/more.yaml");
    await page.prepare(
      `(sed '/^  command:/,$d; s/release-notes/other/' ${pack}; sed 's/^/  /' ${more}) > packs/other/profession-pack.yaml`,
    );
    await page.prepare("npx baton check");
  },

  "docs/how-to/use-a-model.md": async (page) => {
    const names = {
      thought: "",
      status: "success",
      data: { names: ["a", "b", "c"] },
      message: "Three names",
    };
    const address = await startLocalModel(names);
    page.put({ "https://api.anthropic.com/v1": address });
    const models = page.save("providers:", "config/models.yaml");
    page.save("profession_pack:", "packs/namer/profession-pack.yaml");
    await page.startHub("export ANTHROPIC_API_KEY");
    page.compare((await page.run("npx baton run --task-type naming")).stdout);
    const local = page.save("providers:\n  - { id: local", "local.yaml");
    await page.prepare(
      `mkdir -p other/config && cp ${local} other/config/models.yaml && npx baton check other`,
    );
    const code = page.save("import { startModelAgent }", "scratch/forecaster.ts");
    page.env.ANTHROPIC_API_KEY = "a-key-that-only-the-test-uses";
    const forecaster = page.type(`npx node ${code}`);
    await forecaster.printed("the forecaster is attached");
    const task = '--task-type forecast --title "Tomorrow" --accept "it says so" --follow';
    expect((await page.prepare(`npx baton run ${task}`)).stdout).toContain("Three names");
    expect(models).toContain("config/models.yaml");
  },

  "docs/how-to/use-claude-code.md": async (page) => {
    const pack = page.save("profession_pack:", "packs/claude/profession-pack.yaml");
    await page.prepare("npx baton check");
    await page.startHub();
    expect((await page.prepare("npx baton agent list")).stdout).toContain("claude");
    const more = page.save("  command:\n    preset: claude-code", "more.yaml");
    await page.prepare(`sed -i.old '/^  command:/,$d' ${pack} && cat ${more} >> ${pack} && npx baton check`);
    expect(readFileSync(pack, "utf8")).toContain("repository_settings: load");
  },

  "docs/how-to/keep-references-fresh.md": async (page) => {
    const stage = page.save("- stage_id: implement", "stage.yaml");
    const template =
      "pipeline_templates:\n  version: '1.0.0'\n  templates:\n    - template_id: implement-and-review\n      name: Implement\n      stages:\n";
    await page.prepare(
      `mkdir config && (printf "${template}"; sed 's/^/        /' ${stage}) > config/pipeline-templates.yaml`,
    );
    await page.prepare("mkdir -p agents/shop/docs && cd agents/shop && git init --quiet");
    page.put({ "/srv/agents": join(page.folder, "agents") });
    page.save("# task.yaml", "task.yaml");
    page.save("# baton.yaml", "baton.yaml");
    await page.prepare("npx baton check --config baton.yaml");
    await page.reach(page.type("npx baton up --config baton.yaml"));
    await page.prepare("npx baton run --file task.yaml --dry-run");
  },
};
