import { resolve } from "node:path";
import {
  type AllowedWorkspaces,
  isHostEntry,
  type RecordCommand,
  type ReferenceReaderOptions,
  recordFault,
} from "@baton/runtime";
import type { Setting } from "./setting.ts";

const recordName = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Reads `references:`, what the hub may read again when it is too old. By default, files may be read in the folders where
 * contract commands may run.
 */
export function readReferences(
  setting: Setting,
  fileFolder: string,
  workspaces: AllowedWorkspaces,
): ReferenceReaderOptions {
  setting.only(["folders", "hosts", "records", "timeout"]);
  const folders = setting.at("folders");
  const timeout = setting.at("timeout");
  return {
    folders: folders.isSet ? folders.texts().map((path) => resolve(fileFolder, path)) : workspaces,
    hosts: setting.at("hosts").list().map(readHost),
    records: readRecords(setting.at("records"), fileFolder),
    ...(timeout.isSet && { limits: { timeoutMs: timeout.durationMs() } }),
  };
}

function readHost(setting: Setting): string {
  const host = setting.text();
  if (host !== "" && !isHostEntry(host))
    setting.refuse("is not a host", "write a name, an address, or a network such as 10.1.0.0/16");
  return host;
}

function readRecords(setting: Setting, directory: string): ReadonlyMap<string, RecordCommand> {
  const names = Object.keys(typeof setting.value === "object" && setting.value !== null ? setting.value : {});
  setting.only(names);
  const records = new Map<string, RecordCommand>();
  for (const name of names) {
    const one = setting.at(name);
    if (!recordName.test(name)) one.refuse("cannot name a command", "use up to 64 of a-z, 0-9, - and _");
    const command = one.texts();
    if (command.length === 0) one.refuse("names no program", "write the program and its arguments as a list");
    const fault = recordFault(command);
    if (fault !== undefined)
      one.refuse(fault, 'pass it as an argument of its own: [read-customer, --, "{locator}"]');
    records.set(name, { command, directory });
  }
  return records;
}
