import { parseArgs } from "node:util";
import { generateKey, keyIdPattern, type Role, roles } from "./border/keys.ts";
import { describeProblems } from "./config/problem.ts";
import { isInstant } from "./config/read-keys.ts";
import { exitCodes } from "./exit-codes.ts";

const usage = `baton-server key make --id ID --tenant TENANT --role ${roles.join("|")} [--expires DATE]`;

/** `key make`: writes a new key and its entry for the file of keys as one line of JSON. Gives the exit code. */
export function runKeyCommand(args: readonly string[]): number {
  const asked = readArguments(args);
  if (typeof asked === "string") {
    const problem = {
      code: "BATON-SERVER-011",
      at: "the command line",
      message: asked,
      fix: `write ${usage}`,
    };
    process.stderr.write(`${describeProblems([problem])}\n`);
    return exitCodes.misconfigured;
  }
  process.stdout.write(`${JSON.stringify(generateKey(asked))}\n`);
  return exitCodes.stopped;
}

/** What to make, or why not. */
function readArguments(args: readonly string[]): Parameters<typeof generateKey>[0] | string {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch {
    return `"key ${args.join(" ")}" is not known`;
  }
  const { values, positionals } = parsed;
  if (positionals.join(" ") !== "make") return `"key ${positionals.join(" ")}" is not known`;
  const { id = "", tenant = "", role: named = [], expires } = values;
  if (!keyIdPattern.test(id)) return `"${id}" cannot name a key: use up to 64 of a-z, 0-9 and -`;
  if (tenant === "") return "--tenant says whose tasks and agents the key is for";
  const unknown = named.find((role) => !isRole(role));
  if (unknown !== undefined) return `"${unknown}" is not a role`;
  if (named.length === 0) return "--role says what the key may do";
  if (expires !== undefined && !isInstant(expires))
    return `"${expires}" is not a date: write it as 2027-01-31 or 2027-01-31T12:00:00Z`;
  return { id, tenant, roles: [...new Set(named.filter(isRole))], expires };
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      id: { type: "string" },
      tenant: { type: "string" },
      role: { type: "string", multiple: true },
      expires: { type: "string" },
    },
    allowPositionals: true,
  });
}

function isRole(name: string): name is Role {
  return roles.some((role) => role === name);
}
