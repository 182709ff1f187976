import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { InspectionService, OrchestratorService } from "@baton/contract";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { newFolder, startReady } from "../../testing/program.ts";
import { smallTaskMessage } from "../../testing/running-server.ts";
import { defaultPaths } from "./paths.ts";
import { readProject } from "./read-project.ts";
import { takeSnapshot } from "./snapshot.ts";

type Files = Readonly<Record<string, string>>;

function folderWith(files: Files): string {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** What is found in a project with these files, with paths from its folder. */
function found(files: Files): readonly string[] {
  const folder = folderWith(files);
  const { findings } = readProject(takeSnapshot(defaultPaths(folder)));
  return findings.map(
    ({ severity, code, at, message }) => `${severity} ${code} ${relative(folder, at)} ${message}`,
  );
}

const letter = `workflow:
  name: letter
  nodes:
    - id: write
      task_type: writing
      data_schema:
        type: object
        properties: { words: { type: number } }
    - id: read
      task_type: reading
      inputs:
        count: "{{write.data.words}}"
  edges:
    - from: write
      to: read
      condition: response.data.words > 3
    - { from: read, to: write, kind: back, max_times: 2 }
`;
const pack = (id: string, type: string) =>
  `profession_pack:\n  pack_id: ${id}\n  pack_version: "1.0.0"\n  supported_task_types: [${type}]\n  data_schema: { properties: { ok: { type: boolean } } }\n`;
const policy = `routing_policy:
  version: "1"
  routes:
    - { task_type: writing, allowed_pack_ids: [writer] }
    - { task_type: reading, allowed_pack_ids: [reader] }
`;

describe("the workflows of a project", () => {
  it("[SAC-05] are without findings when they are right", () => {
    expect(found({ "workflows/letter.yaml": letter, "workflows/README.md": "not one" })).toEqual([]);
  });

  it("[SAC-05] [SAC-06] have all problems of all files at once, each with file, line and column", () => {
    const broken = letter
      .replace("words > 3", "word > 3")
      .replace("{{write.data.words}}", "{{write.data.words.count}}")
      .replace("kind: back, max_times: 2", "kind: bak");
    const other =
      "workflow:\n  name: other\n  nodes:\n    - { id: a, workflow: leter }\n    - { id: b, task_type: x }\n";
    const text = broken.replace(", kind: bak", ", kind: back, max_times: 2");
    expect(found({ "workflows/letter.yaml": text, "workflows/other.yaml": other })).toEqual([
      'error BATON-GRAPH-004 workflows/letter.yaml:12:9 count: {{write.data.words.count}}: there is no "count" here: it is a number',
      'error BATON-GRAPH-004 workflows/letter.yaml:16:7 condition: the data has no field "word" here: it has words (at 1:14 of the text)',
      'error BATON-GRAPH-011 workflows/other.yaml:4:7 nodes[0]: nothing leads to "a"',
      'error BATON-GRAPH-003 workflows/other.yaml:4:16 workflow: there is no workflow "leter"',
      'error BATON-GRAPH-011 workflows/other.yaml:5:7 nodes[1]: nothing leads to "b"',
    ]);
    expect(found({ "workflows/letter.yaml": broken })).toEqual([
      'error BATON-CONFIG-001 workflows/letter.yaml:17:32 kind: "bak" is not a kind of edge',
    ]);
  });

  it("[SAC-05] share the names of templates", () => {
    const templates =
      'pipeline_templates:\n  version: "1"\n  templates:\n    - { template_id: letter, stages: [{ stage_id: s, task_type: x }] }\n';
    expect(found({ "workflows/letter.yaml": letter, "config/pipeline-templates.yaml": templates })).toEqual([
      'error BATON-CONFIG-002 workflows/letter.yaml:2:3 name: "letter" is the id of a template',
    ]);
  });

  it("[SAC-05] are compared with the packs and the routing policy", () => {
    const nodes = letter
      .replace("task_type: writing", "pack: reader\n      task_type: writing")
      .replace("task_type: reading", "pack: redaer\n      task_type: raeding");
    const files = {
      "config/routing-policy.yaml": policy,
      "packs/reader/profession-pack.yaml": pack("reader", "reading"),
    };
    expect(found({ ...files, "workflows/letter.yaml": nodes }).slice(1)).toEqual([
      'warning BATON-CONFIG-003 workflows/letter.yaml:5:7 the route for "writing" does not allow pack "reader", so nobody may do it',
      'warning BATON-CONFIG-003 workflows/letter.yaml:6:7 pack "reader" does not do "writing", but reading',
      'warning BATON-CONFIG-003 workflows/letter.yaml:11:7 no file defines pack "redaer"',
      'warning BATON-CONFIG-003 workflows/letter.yaml:12:7 the routing policy has no route for "raeding", so a person is asked',
    ]);
  });

  it("[SAC-05] know the type and the data of a pack that a node names", () => {
    const nodes = letter.replace("task_type: writing", "pack: writer").replace("words > 3", "okay");
    const files = { "packs/writer/profession-pack.yaml": pack("writer", "writing") };
    expect(found({ ...files, "workflows/letter.yaml": nodes })).toEqual([
      'error BATON-GRAPH-004 workflows/letter.yaml:16:7 condition: the data has no field "okay" here: it has words, ok (at 1:14 of the text)',
    ]);
  });

  it("[SAC-05] are run and listed by a hub, which takes a changed file without a restart", async () => {
    const folder = folderWith({ "workflows/letter.yaml": letter });
    const hub = await startReady(folder, "--data", ":memory:");
    const transport = createGrpcTransport({ baseUrl: hub.ready.grpc });
    const inspection = createClient(InspectionService, transport);
    const { templates } = await inspection.getTemplates({});
    expect(templates).toMatchObject([{ templateId: "letter", workflow: true, endStages: ["read"] }]);
    const plan = { case: "templateId", value: "letter" } as const;
    const { pipeline } = await createClient(OrchestratorService, transport).submitTask({
      ...{ ...smallTaskMessage, plan, validateOnly: true },
    });
    expect(pipeline?.stages.map(({ stageId }) => stageId)).toEqual(["write", "read"]);

    writeFileSync(join(folder, "workflows/letter.yaml"), letter.replace("name: letter", "name: note"));
    const names = async () =>
      (await inspection.getTemplates({})).templates.map(({ templateId }) => templateId);
    await expect.poll(names).toEqual(["note"]);
    writeFileSync(join(folder, "workflows/letter.yaml"), letter.replace("words > 3", "words >"));
    const problem = "the changed configuration is invalid";
    await expect.poll(() => hub.output.stderr).toContain(problem);
    expect(await names()).toEqual(["note"]);
  });
});
