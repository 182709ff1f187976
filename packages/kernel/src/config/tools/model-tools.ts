import type { JsonObject } from "@bufbuild/protobuf";
import { compileCondition } from "../../graph/index.ts";
import { checkJsonSchema } from "../../json-schema/check-schema.ts";
import { commandLimits } from "../command-agent.ts";
import { fields, list, optional, required, type ValuesOf } from "../lists-and-fields.ts";
import type { Reading } from "../reading.ts";
import { anyMapping, choice, flag, positiveDuration, type Shape, text } from "../shape.ts";

/** Where tools of a model come from (SACP §8): one tool, or all tools of an MCP server. */
export type ToolSource = CommandTool | HttpTool | McpTools;

interface CommonTool {
  /** The name of the tool; of an MCP server the beginning of the names of its tools. */
  readonly name: string;
  readonly idempotent: boolean;
  readonly critical: boolean;
  /** Whether a person approves each call; a text is a CEL rule over `args`. */
  readonly ask?: boolean | string;
  readonly timeoutMs: number;
}

/** A program in the sandbox of the hub, which receives the arguments as JSON on standard input. */
export interface CommandTool extends CommonTool {
  readonly kind: "command";
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly run: readonly string[];
  readonly network: boolean;
}

/** Requests to listed addresses. */
export interface HttpTool extends CommonTool {
  readonly kind: "http";
  readonly description: string;
  /** Beginnings of addresses. */
  readonly allow: readonly string[];
  readonly methods: readonly HttpMethod[];
  /** Hosts that may be called although they are not public. */
  readonly privateHosts: readonly string[];
  readonly keyEnv?: string;
}

export interface McpTools extends CommonTool {
  readonly kind: "mcp";
  /** By Streamable HTTP; otherwise a program by stdio. */
  readonly url?: string;
  readonly run?: readonly string[];
  readonly passEnv: readonly string[];
  readonly network: boolean;
  readonly keyEnv?: string;
  /** The tools that are offered, by their names at the server. Undefined: all. */
  readonly tools?: readonly string[];
}

const methods = { GET: "GET", POST: "POST", PUT: "PUT", PATCH: "PATCH", DELETE: "DELETE" } as const;
export type HttpMethod = keyof typeof methods;

export const toolLimits = {
  tools: 128,
  nameLength: 64,
  descriptionLength: 8_192,
  addresses: 100,
  addressLength: 2_048,
  timeoutMs: 3_600_000,
  defaultTimeoutMs: 60_000,
} as const;

const toolName = text({
  most: toolLimits.nameLength,
  pattern: /^[A-Za-z0-9_-]{1,64}$/,
  must: "be the name of a tool: 1 to 64 letters, digits, _ and -",
  fix: "write it such as get_weather",
});
const variable = text({
  most: commandLimits.nameLength,
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  must: "be the name of an environment variable",
  fix: "write it such as WEATHER_TOKEN; the secret itself does not belong in a file",
});
const word = text({
  least: 0,
  most: commandLimits.argLength,
  pattern: /^[^\0]*$/,
  must: "be a text without NUL",
});
const address = text({
  most: toolLimits.addressLength,
  pattern: /^https?:\/\/[^\s/?#@\\]+\/[^\s?#\\]*$/,
  must: "be the beginning of an address, with the path and without user name, query and fragment",
  fix: "write it such as https://api.example.com/v1/",
});
const serverUrl = text({
  most: toolLimits.addressLength,
  pattern: /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/,
  must: "be an address that begins with http:// or https://, without a user name, query or fragment",
  fix: "write it such as http://127.0.0.1:8080/mcp",
});
const host = text({
  most: 253,
  pattern: /^[A-Za-z0-9.:/_-]+$/,
  must: "be a name, an address or a network like 10.0.0.0/8",
  fix: "write it such as wiki.internal",
});
const words = list(word, { least: 1, most: commandLimits.args, example: 'run: ["node", "{pack}/tool.mjs"]' });
const timeout = optional(positiveDuration, "How long a call may take, up to 1h. 60s if left out.");
const keyEnv = optional(
  variable,
  "The environment variable of the hub whose value is sent as bearer token, only to these addresses.",
);

const commandFields = {
  run: required(
    words,
    "The program and its arguments, as a list: no shell reads it. It receives the arguments of the model as JSON on standard input, and what it prints is the output. {pack} is the folder of this file.",
  ),
  network: optional(flag, "Whether it reaches the network.", false),
  timeout,
};
const httpFields = {
  allow: required(
    list(address, {
      least: 1,
      most: toolLimits.addresses,
      example: 'allow: ["https://api.example.com/v1/"]',
    }),
    "Beginnings of the addresses that the model may call. Redirects to other addresses are refused.",
  ),
  methods: optional(
    list(choice("a method", methods, "GET"), { least: 1, most: 5, example: "methods: [GET]" }),
    "The methods that it may use. GET if left out.",
  ),
  private_hosts: optional(
    list(host, { most: toolLimits.addresses }),
    "Hosts that may be called although they are not public: names, addresses, networks.",
  ),
  key_env: keyEnv,
  timeout,
};
const mcpFields = {
  url: optional(serverUrl, "The address of a server that speaks Streamable HTTP. Either this or `run`."),
  run: optional(
    words,
    "The program of a server that speaks stdio, in the sandbox of the hub. {pack} is the folder of this file. Either this or `url`.",
  ),
  pass_env: optional(
    list(variable, { most: commandLimits.variables }),
    "For `run`: variables that it gets from the environment of the hub.",
  ),
  network: optional(flag, "For `run`: whether it reaches the network. false if left out."),
  key_env: keyEnv,
  tools: optional(
    list(text({ most: 256 }), { least: 1, most: toolLimits.tools, example: "tools: [get_weather]" }),
    "The tools of the server that are offered. All if left out.",
  ),
  timeout,
};

/** true, false, or a text. */
const flagOrRule: Shape<boolean | string> = {
  read(given) {
    const { value } = given;
    if (typeof value === "boolean" || (typeof value === "string" && value.trim() !== "")) return value;
    given.reportInvalid(
      "must be true, false or a CEL rule over args",
      'write it such as "args.amount > 100"',
    );
    return true;
  },
  schema: () => ({ type: ["boolean", "string"], minLength: 1 }),
};

const toolFields = {
  name: required(
    toolName,
    "Its name. The tools of an MCP server are called NAME_TOOL, and tools are allowed and denied by that.",
  ),
  description: optional(
    text({ most: toolLimits.descriptionLength }),
    "What it does, for the model. Needed for `command`; the tools of an MCP server have their own.",
  ),
  input_schema: optional(
    anyMapping(),
    "For `command`: JSON Schema of its arguments, an object. Any object if left out.",
  ),
  command: optional(fields(commandFields), "A program in the sandbox of the hub."),
  http: optional(fields(httpFields), "Requests to listed addresses. Its arguments are url, method and body."),
  mcp: optional(fields(mcpFields), "The tools of an MCP server."),
  idempotent: optional(
    flag,
    "Whether a call whose outcome is unknown after a crash may be repeated. Otherwise the outcome is reported to the model as unknown.",
    false,
  ),
  critical: optional(flag, "Whether a person is asked about a call whose outcome is unknown.", false),
  ask: optional(
    flagOrRule,
    "true: a person approves, edits or refuses each call. A CEL rule over `args`, such as args.amount > 100: those calls for which it is true.",
  ),
};

export const modelToolsShape = list(fields(toolFields, "Tool of a model"), { most: toolLimits.tools });

type Given = ValuesOf<typeof toolFields>;

/** Checks the rules between fields, which the schema cannot express. */
export function buildModelTools(given: readonly Given[], reading: Reading): readonly ToolSource[] {
  const items = reading.items();
  const names = new Set<string>();
  return given.flatMap((one, index) => {
    const at = items[index] ?? reading;
    if (names.has(one.name) && one.name !== "")
      at.at("name").reportInconsistent("is the name of another tool", "choose another name");
    names.add(one.name);
    return buildTool(one, at) ?? [];
  });
}

function buildTool(given: Given, reading: Reading): ToolSource | undefined {
  const { name, description = "", command, http, mcp, idempotent, critical, ask } = given;
  const kinds = [command && "command", http && "http", mcp && "mcp"].filter((kind) => kind !== undefined);
  if (kinds.length !== 1) {
    const message = kinds.length === 0 ? "says nothing about what to call" : `has ${kinds.join(" and ")}`;
    reading.reportInconsistent(message, "give one of command, http and mcp");
    return undefined;
  }
  if (mcp && given.description !== undefined)
    reading
      .at("description")
      .reportInconsistent("is not for mcp, whose tools have their own", "leave it out");
  if (!command && given.input_schema !== undefined)
    reading.at("input_schema").reportInconsistent("is for command only", "leave it out");
  const timeoutMs = (command ?? http ?? mcp)?.timeout ?? toolLimits.defaultTimeoutMs;
  if (timeoutMs > toolLimits.timeoutMs)
    reading
      .at(kinds[0] ?? "")
      .at("timeout")
      .reportInconsistent("must be at most 1h", "write it such as 60s");
  const inputSchema = checkedSchema(given, reading);
  checkRule(ask, reading.at("ask"));
  const common = { name, idempotent, critical, ...(ask !== undefined && { ask }), timeoutMs };
  if (command) {
    if (description === "")
      reading.reportInconsistent("has no description", "say in description what it does, for the model");
    checkProgram(command.run, reading.at("command").at("run"));
    return {
      kind: "command",
      ...common,
      description,
      inputSchema,
      run: command.run,
      network: command.network,
    };
  }
  if (http) {
    const { allow, methods: allowed = ["GET"], private_hosts: privateHosts = [], key_env: keyEnv } = http;
    return {
      ...{ kind: "http", ...common, allow, methods: [...new Set(allowed)], privateHosts },
      ...{ description: description || `Calls addresses that begin with ${allow.join(" or ")}` },
      ...(keyEnv !== undefined && { keyEnv }),
    };
  }
  return mcp && buildMcp(mcp, common, reading.at("mcp"));
}

function buildMcp(
  { url, run, pass_env: passEnv, network, key_env: keyEnv, tools }: ValuesOf<typeof mcpFields>,
  common: CommonTool,
  reading: Reading,
): McpTools {
  if ((url === undefined) === (run === undefined))
    reading.reportInconsistent(
      url === undefined ? "names no server" : "names two servers",
      "give either url or run",
    );
  if (run) checkProgram(run, reading.at("run"));
  for (const [name, value] of Object.entries({ pass_env: passEnv, network }))
    if (url !== undefined && value !== undefined)
      reading.at(name).reportInconsistent("is for run only", "leave it out");
  if (run !== undefined && keyEnv !== undefined)
    reading.at("key_env").reportInconsistent("is for url only", "use pass_env");
  return {
    ...{ kind: "mcp", ...common, passEnv: passEnv ?? [], network: network ?? false },
    ...(url !== undefined && { url }),
    ...(run !== undefined && { run }),
    ...(keyEnv !== undefined && { keyEnv }),
    ...(tools !== undefined && { tools }),
  };
}

function checkProgram(run: readonly string[], reading: Reading): void {
  if (run[0] === "") reading.reportInconsistent("names no program", 'write it as ["program", "argument"]');
}

function checkedSchema({ input_schema: given }: Given, reading: Reading): JsonObject {
  if (given === undefined) return { type: "object" };
  const at = reading.at("input_schema");
  for (const { path, message } of checkJsonSchema(given))
    at.reportInconsistent(`is no usable JSON Schema: ${path || "it"} ${message}`, "correct it");
  if (given.type !== "object")
    at.reportInconsistent("does not describe an object", "add type: object: arguments have names");
  return given as JsonObject;
}

function checkRule(ask: boolean | string | undefined, reading: Reading): void {
  if (typeof ask !== "string") return;
  const compiled = compileCondition(ask, { nodes: [], values: ["args"] });
  if (compiled.ok) return;
  const { message, fix, position } = compiled.problem;
  const where = position ? ` (${position.line}:${position.column} in the rule)` : "";
  reading.reportInconsistent(`${message}${where}`, fix);
}

/** The variables of the hub whose values tools get. */
export function variablesOfTools(tools: readonly ToolSource[]): readonly string[] {
  return tools.flatMap((tool) => {
    const key = tool.kind === "command" ? undefined : tool.keyEnv;
    const passed = tool.kind === "mcp" ? tool.passEnv : [];
    return [...(key === undefined ? [] : [key]), ...passed];
  });
}
