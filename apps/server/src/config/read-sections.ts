/** The sections of the configuration file that hold little but numbers. */
import { join, resolve } from "node:path";
import { defaultEntropyOptions, type EntropyOptions, entropyOptions } from "@baton/kernel";
import {
  defaultRetention,
  defaultUploadSettings,
  type GitWorkspacesOptions,
  type RetentionOptions,
  type UploadSettings,
} from "@baton/runtime";
import { defaultServerLimits, type ServerLimits, settingOf } from "../limits.ts";
import { defined, type Setting } from "./setting.ts";

const limitNames = Object.keys(defaultServerLimits).filter(
  (name): name is keyof ServerLimits => name in defaultServerLimits,
);

/** Reads `limits:`. `callTimeoutMs` is written as `call_timeout: 60s`; limits that are not times are numbers. */
export function readLimits(setting: Setting): ServerLimits {
  setting.only(limitNames.map(settingOf));
  const limits: Record<keyof ServerLimits, number> = { ...defaultServerLimits };
  for (const name of limitNames) {
    const limit = setting.at(settingOf(name));
    if (limit.isSet) limits[name] = name.endsWith("Ms") ? limit.durationMs() : limit.whole();
  }
  return limits;
}

/** Reads `retention:`; `off` keeps without limit. */
export function readRetention(setting: Setting): RetentionOptions {
  setting.only(["events_age", "events_bytes", "turns_age", "turns_bytes"]);
  const read = (key: string, byDefault: number | undefined, parse: (setting: Setting) => number) => {
    const limit = setting.at(key);
    if (!limit.isSet) return byDefault;
    // YAML 1.2 reads a bare off as a string, YAML 1.1 as false.
    return limit.value === "off" || limit.value === false ? undefined : parse(limit);
  };
  const age = (limit: Setting) => limit.durationMs();
  const bytes = (limit: Setting) => limit.whole();
  return {
    eventsMs: read("events_age", defaultRetention.eventsMs, age),
    eventsBytes: read("events_bytes", defaultRetention.eventsBytes, bytes),
    turnsMs: read("turns_age", defaultRetention.turnsMs, age),
    turnsBytes: read("turns_bytes", defaultRetention.turnsBytes, bytes),
  };
}

/** Reads `uploads:`. */
export function readUploads(setting: Setting): UploadSettings {
  setting.only(["max_bytes", "tenant_bytes", "tenant_uploads", "keep_for", "link_for"]);
  const whole = (key: string) => setting.at(key).optional((value) => value.whole());
  const duration = (key: string) => setting.at(key).optional((value) => value.durationMs());
  return {
    ...defaultUploadSettings,
    ...defined({
      maxBytes: whole("max_bytes"),
      tenantBytes: whole("tenant_bytes"),
      tenantUploads: whole("tenant_uploads"),
      keepMs: duration("keep_for"),
      linkMs: duration("link_for"),
    }),
  };
}

const entropyNames = {
  window: "window",
  min_turns: "minTurns",
  fall_per_turn: "fallPerTurn",
  recovered_fall_per_turn: "recoveredFallPerTurn",
  significance: "significance",
} as const satisfies Record<string, keyof EntropyOptions>;

/** Reads `entropy:`, when falling confidence escalates to a person (TUR-07). */
export function readEntropy(setting: Setting): EntropyOptions {
  setting.only(Object.keys(entropyNames));
  const options = Object.entries(entropyNames).map(
    ([key, name]) => [name, setting.at(key).optional((value) => value.number())] as const,
  );
  try {
    return entropyOptions(defined(Object.fromEntries(options)));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    setting.refuse(`is invalid: ${error.message}`, "see docs/decisions/0014 for the meaning of the numbers");
    return defaultEntropyOptions;
  }
}

/** Undefined as folder: a hub without a data folder makes a temporary one. */
export type WorkspaceSettings = Omit<GitWorkspacesOptions, "folder"> & {
  readonly folder: string | undefined;
};

const keepPolicies = ["never", "failed", "always"] as const;

/** Reads `workspaces:`. */
export function readWorkspaces(
  setting: Setting,
  fileFolder: string,
  data: string | undefined,
): WorkspaceSettings {
  setting.only(["folder", "keep", "keep_for", "places", "bytes", "place_bytes"]);
  const whole = (key: string) => setting.at(key).optional((value) => value.whole());
  const keep = setting.at("keep").optional((value) => value.oneOf(keepPolicies, "a policy of what is kept"));
  const folder = setting.at("folder").optional((value) => resolve(fileFolder, value.text()));
  return {
    folder: folder ?? (data === undefined ? undefined : join(data, "workspaces")),
    ...defined({
      keep,
      keepForMs: setting.at("keep_for").optional((value) => value.durationMs()),
      maxWorkspaces: whole("places"),
      maxBytes: whole("bytes"),
      maxWorkspaceBytes: whole("place_bytes"),
    }),
  };
}
