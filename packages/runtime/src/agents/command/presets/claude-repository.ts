import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import { openInside } from "../../../workspaces/files/open-inside.ts";
import { objectOf, readJsonLine } from "./json-line.ts";

const mostBytes = 1_048_576;
const mostNames = 10;

/**
 * Settings, hooks, servers and instructions that Claude Code would load from a repository. Read before the agent starts; links
 * are not followed, since the agent of an earlier stage may have created them.
 */
export async function claudeRepositoryNotices(
  workspace: string,
  isLoaded: boolean,
): Promise<readonly string[]> {
  const outcome = isLoaded ? "were loaded, as its pack says" : "were not loaded";
  const notices: string[] = [];
  for (const path of [".claude/settings.json", ".claude/settings.local.json"]) {
    const settings = await readJson(workspace, path);
    if (!settings) continue;
    const { hooks, ...others } = settings;
    const [events, rest] = [namesOf(objectOf(hooks)), namesOf(others)];
    if (events !== "")
      notices.push(`the repository configures hooks in ${path} (${events}); they ${outcome}`);
    if (rest !== "") notices.push(`the repository configures settings in ${path} (${rest}); they ${outcome}`);
  }
  const servers = namesOf(objectOf((await readJson(workspace, ".mcp.json"))?.mcpServers));
  if (servers !== "")
    notices.push(`the repository configures MCP servers in .mcp.json (${servers}); they ${outcome}`);
  const instructions = await filter(others, (path) => isThere(join(workspace, path)));
  if (instructions.length > 0)
    notices.push(
      `the repository has instructions for Claude Code (${instructions.join(", ")}); they ${outcome}`,
    );
  return notices;
}

const others = [
  ...["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"],
  ...[".claude/rules", ".claude/agents", ".claude/commands", ".claude/skills"],
];

async function readJson(workspace: string, path: string): Promise<JsonObject | undefined> {
  const opened = await openInside(workspace, path);
  if (!opened.ok) return undefined;
  try {
    if (opened.bytes > mostBytes) return undefined;
    return readJsonLine((await opened.file.readFile("utf8")).trim());
  } finally {
    await opened.file.close();
  }
}

/** Names from the repository, untrusted: in one line, and a few of them. */
function namesOf(value: JsonObject | undefined): string {
  const names = Object.keys(value ?? {}).map((name) => name.replaceAll(/[^\w.:@/-]/g, "?").slice(0, 60));
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  return `${names.slice(0, mostNames).join(", ")}${more}`;
}

async function filter(
  paths: readonly string[],
  isKept: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const kept = await Promise.all(paths.map(isKept));
  return paths.filter((_, at) => kept[at]);
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
