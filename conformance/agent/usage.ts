import { parseArgs } from "node:util";
import { limits } from "./limits.ts";
import type { AgentOptions } from "./meet-agent.ts";

export const usage = `usage: node conformance/agent/check.ts --transport NAME [options] [-- command …]

  --transport NAME     how the agent is reached: attached, grpc or http-json
  --address URL        where it listens; without it, it has to register with the suite's hub
  --listen HOST:PORT   where the suite listens as a hub; by default 127.0.0.1 and any free port
  --patience MS        how long one reaction of the agent may take; by default ${limits.patienceMs}
  --capacity N         tasks at once, of an agent that does not register; by default 1
  --task-type NAME     a further type of task of such an agent, such as conformance.tool; may be repeated
  -- command …         starts the agent, with the address of the suite's hub in BATON_HUB, and ends it afterwards

BATON_AGENT_TOKEN holds the token that the agent wants to be shown when it is called.
What the agent has to know is in docs/how-to/check-an-agent.md.`;

/** Arguments that cannot be right. The message says which, and what would be. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code: "BATON-CHECK-001" | "BATON-CHECK-002";

  constructor(code: UsageError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export interface Wanted {
  readonly options: AgentOptions;
  readonly command: readonly string[];
  readonly wantsHelp: boolean;
}

export function readArguments(args: readonly string[], token: string | undefined): Wanted {
  const { values, positionals } = parse(args);
  const address = values.address && urlIn(values.address);
  return {
    command: positionals,
    wantsHelp: values.help,
    options: {
      transport: values.help ? "attached" : transportIn(values.transport),
      patienceMs: countIn("patience", values.patience),
      capacity: countIn("capacity", values.capacity),
      taskTypes: values["task-type"],
      ...(address && { address }),
      ...(values.listen !== undefined && { listen: placeIn(values.listen) }),
      ...(token && { token }),
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        transport: { type: "string" },
        address: { type: "string" },
        listen: { type: "string" },
        patience: { type: "string", default: String(limits.patienceMs) },
        capacity: { type: "string", default: "1" },
        "task-type": { type: "string", multiple: true, default: [] },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

function transportIn(name: string | undefined): AgentOptions["transport"] {
  if (name === "attached" || name === "grpc" || name === "http-json") return name;
  throw wrong(`--transport must be attached, grpc or http-json, and not ${name ?? "absent"}`);
}

function urlIn(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "http:" || url?.protocol === "https:") return text;
  throw wrong(`--address must be a URL such as http://127.0.0.1:8080, and not ${text}`);
}

function placeIn(text: string): NonNullable<AgentOptions["listen"]> {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) };
  throw wrong(`--listen must be HOST:PORT such as 127.0.0.1:7433, and not ${text}`);
}

function countIn(name: string, text: string): number {
  const most = 600_000;
  if (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
  throw wrong(`--${name} must be a whole number from 1 to ${most}, and not ${text}`);
}

function wrong(message: string): UsageError {
  return new UsageError("BATON-CHECK-001", message);
}
