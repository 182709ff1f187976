import { parseArgs } from "node:util";
import { generateKey, keyIdPattern, type Role, roles } from "../border/keys.ts";
import { isInstant } from "../config/read-keys.ts";
import { describeProblems } from "../files/problem.ts";
import { exitCodes } from "./print.ts";

const usage = `baton-server key make --id ID --tenant TENANT --role ${roles.join("|")} [--expires DATE]`;

/** `key make`: prints a new key and its entry for the key file as one line of JSON. Returns the exit code. */
export function runKeyCommand(args: readonly string[]): number {
  const options = readArguments(args);
  if (typeof options === "string") {
    const problem = {
      code: "BATON-SERVER-011",
      at: "the command line",
      message: options,
      fix: `write ${usage}`,
    };
    process.stderr.write(`${describeProblems([problem])}\n`);
    return exitCodes.misconfigured;
  }
  process.stdout.write(`${JSON.stringify(generateKey(options))}\n`);
  return exitCodes.stopped;
}

/** The options of the key, or an error message. */
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
  if (tenant === "") return "--tenant is missing: the tenant of the key";
  const unknown = named.find((role) => !isRole(role));
  if (unknown !== undefined) return `"${unknown}" is not a role`;
  if (named.length === 0) return "--role is missing: what the key may do";
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
