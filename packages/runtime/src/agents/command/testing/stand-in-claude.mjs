#!/usr/bin/env node
/**
 * Stands in for Claude Code where that is not installed: takes the same arguments, asks the same Messages API, does what
 * the model asks for with the two tools it has, and prints the same lines. It knows of permissions what the tests need.
 */
import { execSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const options = new Map();
const args = process.argv.slice(2);
for (let at = 0; at < args.length; at++) {
  const next = args[at + 1];
  if (next === undefined || next.startsWith("-")) options.set(args[at], "");
  else options.set(args[at], args[++at]);
}
if (options.has("--version")) {
  console.log("0.0.0 (stand-in)");
  process.exit(0);
}
if (!options.has("-p") || options.get("--output-format") !== "stream-json" || !options.has("--verbose"))
  process.exit(2);
const listOf = (name) => (options.get(name) ?? "").split(",").filter((item) => item !== "");
const tools = options.has("--tools") ? listOf("--tools") : ["Bash", "Read", "Write"];
// As the real one: hooks of the repository run when its settings are among those that are loaded.
if ((options.get("--setting-sources") ?? "user,project,local").includes("project")) {
  try {
    const { hooks } = JSON.parse(readFileSync(".claude/settings.json", "utf8"));
    for (const { hooks: all } of hooks?.SessionStart ?? []) for (const { command } of all) execSync(command);
  } catch {
    // There are none.
  }
}
const ids = { session_id: randomUUID(), parent_tool_use_id: null };
const print = (line) => process.stdout.write(`${JSON.stringify({ ...line, ...ids, uuid: randomUUID() })}\n`);

function isAllowed(name, { command = "" }) {
  const covers = (rule) => {
    const [, tool, pattern] = /^(\w+)(?:\((.*)\))?$/.exec(rule) ?? [];
    if (tool !== name) return false;
    if (pattern === undefined) return true;
    return pattern.endsWith(" *") ? command.startsWith(pattern.slice(0, -1)) : command === pattern;
  };
  if (listOf("--disallowedTools").some(covers)) return false;
  const editsFreely = options.get("--permission-mode") === "acceptEdits" && name !== "Bash";
  return editsFreely || listOf("--allowedTools").some(covers);
}

function use({ name, input }) {
  if (!tools.includes(name)) return { content: `No such tool available: ${name}`, is_error: true };
  if (!isAllowed(name, input)) return { content: `Permission to use ${name} was denied`, is_error: true };
  try {
    if (name === "Write") writeFileSync(input.file_path, input.content);
    const content = name === "Bash" ? execSync(input.command, { encoding: "utf8" }) : "done";
    return { content, is_error: false };
  } catch (error) {
    return { content: String(error), is_error: true };
  }
}

print({
  type: "system",
  subtype: "init",
  cwd: process.cwd(),
  tools,
  model: options.get("--model") ?? "stand-in",
});
const messages = [{ role: "user", content: readFileSync(0, "utf8") }];
const usage = { input_tokens: 0, output_tokens: 0 };
const most = Number(options.get("--max-turns") ?? 100);
const finish = (subtype, result) => {
  const cost = (usage.input_tokens * 5 + usage.output_tokens * 25) / 1_000_000;
  const end = {
    num_turns: messages.length >> 1,
    total_cost_usd: cost,
    usage,
    modelUsage: {
      "claude-stand-in": {
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens,
        costUSD: cost,
      },
    },
    ...(result !== undefined && { result }),
  };
  print({ type: "result", subtype, is_error: subtype !== "success", ...end });
  process.exit(subtype === "success" ? 0 : 1);
};
for (let turn = 0; turn < most; turn++) {
  const response = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": process.env.ANTHROPIC_API_KEY },
    body: JSON.stringify({ model: "stand-in", messages, tools: tools.map((name) => ({ name })) }),
  });
  const message = await response.json();
  usage.input_tokens += message.usage.input_tokens;
  usage.output_tokens += message.usage.output_tokens;
  for (const block of message.content)
    print({ type: "assistant", message: { ...message, content: [block] } });
  const calls = message.content.filter(({ type }) => type === "tool_use");
  if (calls.length === 0) finish("success", message.content.at(-1).text);
  const results = calls.map((call) => ({ type: "tool_result", tool_use_id: call.id, ...use(call) }));
  for (const result of results) print({ type: "user", message: { role: "user", content: [result] } });
  messages.push({ role: "assistant", content: message.content }, { role: "user", content: results });
}
finish("error_max_turns");
