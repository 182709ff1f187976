import { parseArgs } from "node:util";

export const usage = `usage: node conformance/sap/check.ts --address URL [options]

  --address URL        where the endpoint is, such as http://127.0.0.1:7434; its paths begin with /sap/v2
  --capability NAME    what the tasks of the suite ask for; by default consult.align. An agent has to do it and to answer with data
  --patience MS        how long one task may take; by default 60000

BATON_SAP_KEY holds the key that the endpoint wants, BATON_SAP_OTHER_KEY one of another tenant: without it, nothing is compared between
tenants. The page docs/how-to/submit-governed-tasks.md has an example.`;

/** Arguments that cannot be right. The message says which, and what would be. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "BATON-CHECK-001";
}

export interface EndpointOptions {
  readonly address: string;
  readonly capability: string;
  readonly patienceMs: number;
  readonly key?: string | undefined;
  /** Of another tenant. */
  readonly otherKey?: string | undefined;
}

export function readArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): EndpointOptions | "help" {
  const values = parse(args);
  if (values.help) return "help";
  return {
    address: urlIn(values.address),
    capability: nameIn(values.capability),
    patienceMs: countIn(values.patience),
    ...(env.BATON_SAP_KEY && { key: env.BATON_SAP_KEY }),
    ...(env.BATON_SAP_OTHER_KEY && { otherKey: env.BATON_SAP_OTHER_KEY }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        address: { type: "string" },
        capability: { type: "string", default: "consult.align" },
        patience: { type: "string", default: "60000" },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function urlIn(text: string | undefined): string {
  const url = URL.parse(text ?? "");
  if (url?.protocol === "http:" || url?.protocol === "https:") return (text ?? "").replace(/\/+$/, "");
  throw new UsageError(`--address must be a URL such as http://127.0.0.1:7434, and not ${text ?? "absent"}`);
}

function nameIn(text: string): string {
  if (/^[\w.-]{1,256}$/.test(text)) return text;
  throw new UsageError(`--capability must be a name such as consult.align, and not ${text}`);
}

function countIn(text: string): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= 600_000) return Number(text);
  throw new UsageError(`--patience must be a whole number from 1 to 600000, and not ${text}`);
}
