import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../../testing/program.ts";
import { defaultPaths } from "./paths.ts";
import { readProject } from "./read-project.ts";
import { takeSnapshot } from "./snapshot.ts";

const models = `providers:
  - { id: local, kind: openai-compatible, base_url: "http://127.0.0.1:1/v1", key_env: LOCAL_KEY }
models:
  - { id: large, provider: local, context_window: 8000 }
`;
const pack = (model: string) =>
  `profession_pack:\n  pack_id: writer\n  pack_version: "1.0.0"\n  supported_task_types: [summary]\n  model:\n    model: large\n${model
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n")}\n`;

function projectOf(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}) {
  const folder = newFolder();
  const prepare = (name: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    return join(folder, name);
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(prepare(name), text);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, prepare(name));
  const reading = readProject(takeSnapshot(defaultPaths(folder)), () => false);
  const found = reading.findings.map(
    ({ at, message }) => `${at.replace(`${folder}/`, "").replace(/(:\d+):\d+$/, "$1")} ${message}`,
  );
  return { ...reading, found };
}

it("[SAC-12] a pack names a model and a file with its prompt", () => {
  const { project, found } = projectOf({
    "config/models.yaml": models,
    "packs/writer/profession-pack.yaml": pack("system_prompt_file: prompts/write.md"),
    "packs/writer/prompts/write.md": "You write summaries.\n",
  });
  expect(found).toEqual([
    'config/models.yaml:2 provider "local" needs the variable LOCAL_KEY, which is not set here',
  ]);
  expect(project?.packs[0]?.model).toMatchObject({
    ...{ model: "large", systemPrompt: "You write summaries.\n", usesProtocol: false, maxCorrections: 1 },
  });
  expect(project?.models?.models.get("large")).toMatchObject({ model: "large", contextWindow: 8000 });
});

it.each([
  ["../secret.md", "system_prompt_file must be a path below the folder of this file, without . and .."],
  ["/etc/hostname", "system_prompt_file must be a path below the folder of this file, without . and .."],
  ["linked.md", "linked.md: the file of the system prompt is not in the folder of its pack"],
  ["missing.md", "missing.md: the file cannot be read: ENOENT"],
  ["empty.md", "empty.md: the file is empty"],
  ["large.md", "large.md: the file is larger than 1 MiB"],
])("[SAC-12] a prompt file is refused: %s", (name, message) => {
  const { project, found } = projectOf(
    {
      "config/models.yaml": models,
      "packs/writer/profession-pack.yaml": pack(`system_prompt_file: ${name}`),
      "packs/writer/empty.md": "\n",
      "packs/writer/large.md": "x".repeat(1024 * 1024 + 1),
      "secret.md": "not for a provider",
    },
    { "packs/writer/linked.md": "../../secret.md" },
  );
  expect(project).toBeUndefined();
  expect(found).toContain(`packs/writer/profession-pack.yaml:7 ${message}`);
});

it("[SAC-12] more corrections or fallback models than a pack may have are refused where they stand", () => {
  const found = (model: string) =>
    projectOf({
      "config/models.yaml": models,
      "packs/writer/profession-pack.yaml": pack(`system_prompt: hello\n${model}`),
    }).found;
  expect(found("max_corrections: 5").filter((one) => one.startsWith("packs"))).toEqual([]);
  expect(found("max_corrections: 6")).toContainEqual(
    expect.stringMatching(/^packs\/writer\/profession-pack\.yaml:8 max_corrections must be .*5/),
  );
  const many = Array.from({ length: 9 }, (_, at) => `m${at}`);
  expect(found(`fallback_models: [${many}]`)).toContainEqual(
    expect.stringMatching(/^packs\/writer\/profession-pack\.yaml:8 fallback_models .*8/),
  );
});

it("[SAC-12] an unknown model, and a model beside a command, are reported where they stand", () => {
  const { found } = projectOf({
    "config/models.yaml": models,
    "packs/writer/profession-pack.yaml": `${pack("system_prompt: hello")}  command: { run: [node] }\n`,
  });
  expect(found).toContainEqual(
    expect.stringMatching(/profession-pack.yaml:\d+ model is there beside command/),
  );
  const { found: unknown } = projectOf({
    "config/models.yaml": models,
    "packs/writer/profession-pack.yaml": pack("system_prompt: hello\nfallback_models: [lareg]"),
  });
  expect(unknown).toContain('packs/writer/profession-pack.yaml:8 config/models.yaml has no model "lareg"');
});

it("[SAC-12] every mistake in the file of models is reported with its position", () => {
  const { found } = projectOf({
    "config/models.yaml": `providers:
  - { id: a, kind: anthropic }
  - { id: b, kind: openai-compatible }
  - { id: c, kind: openai, key_env: sk-123, base_url: "https://user:pw@example.com/v1" }
  - { id: c, kind: openai, key_env: C_KEY, timeouts: { silence: 2d } }
models:
  - { id: m, provider: d, context_window: 10, max_output_tokens: 11 }
  - { id: m, provider: a, context_window: 10, max_output_tokens: 9, price: { input: -1, output: 1 } }
`,
  });
  expect(found).toEqual([
    "config/models.yaml:2 providers[0] has no key_env",
    "config/models.yaml:3 providers[1] has no base_url",
    expect.stringContaining("config/models.yaml:4 key_env must be the name of an environment variable"),
    expect.stringContaining("config/models.yaml:4 base_url must be an address"),
    expect.stringContaining('config/models.yaml:5 id: "c" is there already'),
    expect.stringContaining("config/models.yaml:5 silence must be at most 1d"),
    expect.stringContaining("config/models.yaml:7 provider: there is no provider"),
    expect.stringContaining("config/models.yaml:7 max_output_tokens is more than the context window"),
    expect.stringContaining('config/models.yaml:8 id: "m" is there already'),
    expect.stringContaining("config/models.yaml:8 input must be a number of 0 or more"),
  ]);
});
