import { resolve } from "node:path";
import {
  type AllowedWorkspaces,
  isHostEntry,
  type RecordCommand,
  type ReferenceReaderOptions,
  recordFault,
} from "@baton/runtime";
import type { Given } from "./given.ts";

const recordName = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Reads `references:`, which says what the hub may read again. Where commands of contracts may run, files may be read,
 * unless other folders are named.
 */
export function readReferences(
  given: Given,
  fileFolder: string,
  workspaces: AllowedWorkspaces,
): ReferenceReaderOptions {
  given.only(["folders", "hosts", "records", "timeout"]);
  const folders = given.at("folders");
  const timeout = given.at("timeout");
  return {
    folders: folders.isThere ? folders.texts().map((path) => resolve(fileFolder, path)) : workspaces,
    hosts: given.at("hosts").list().map(readHost),
    records: readRecords(given.at("records"), fileFolder),
    ...(timeout.isThere && { limits: { timeoutMs: timeout.durationMs() } }),
  };
}

function readHost(given: Given): string {
  const host = given.text();
  if (host !== "" && !isHostEntry(host))
    given.complain("is no host", "write a name, an address, or a network such as 10.1.0.0/16");
  return host;
}

function readRecords(given: Given, directory: string): ReadonlyMap<string, RecordCommand> {
  const names = Object.keys(typeof given.value === "object" && given.value !== null ? given.value : {});
  given.only(names);
  const records = new Map<string, RecordCommand>();
  for (const name of names) {
    const one = given.at(name);
    if (!recordName.test(name)) one.complain("cannot name a command", "use up to 64 of a-z, 0-9, - and _");
    const command = one.texts();
    if (command.length === 0)
      one.complain("names no program", "write the program and its arguments as a list");
    const fault = recordFault(command);
    if (fault !== undefined)
      one.complain(fault, 'pass it as an argument of its own: [read-customer, --, "{locator}"]');
    records.set(name, { command, directory });
  }
  return records;
}
