import { nameFault } from "@baton/kernel";
import { type KeyEntry, keyHashPattern, keyIdPattern, type Role, roles } from "../border/keys.ts";
import type { ConfigProblem } from "../files/problem.ts";
import { readYamlFile } from "../files/yaml-file.ts";
import { Setting } from "./setting.ts";

function readKeys(root: Setting): readonly KeyEntry[] {
  const seen = new Set<string>();
  return root
    .only(["keys"])
    .at("keys")
    .list()
    .map((entry) => {
      entry.only(["id", "tenant", "roles", "hash", "expires"]);
      const id = entry.at("id").text();
      if (id !== "" && !keyIdPattern.test(id)) {
        entry.at("id").refuse("cannot name a key", "use up to 64 of a-z, 0-9 and -");
      }
      if (seen.has(id)) entry.at("id").refuse(`"${id}" is there twice`, "rename one of them, or remove it");
      seen.add(id);
      return {
        id,
        tenant: readTenant(entry.at("tenant")),
        roles: readRoles(entry.at("roles")),
        hash: readHash(entry),
        ...readExpiry(entry.at("expires")),
      };
    });
}

function readTenant(setting: Setting): string {
  const tenant = setting.text();
  const why = nameFault(tenant);
  if (why !== undefined) setting.refuse(why, "use up to 256 visible characters");
  return tenant;
}

function readRoles(setting: Setting): readonly Role[] {
  const named = setting.list().map((item) => item.oneOf(roles, "a role"));
  if (named.length === 0) setting.refuse("must name at least one role", `use some of: ${roles.join(", ")}`);
  return named.filter((role) => role !== undefined);
}

function readExpiry(setting: Setting): Pick<KeyEntry, "expires"> {
  if (!setting.isSet) return {};
  const expires = setting.text();
  if (expires !== "" && !isInstant(expires))
    setting.refuse("is not a date", "write it as 2027-01-31 or 2027-01-31T12:00:00Z");
  return { expires };
}

/** A day in UTC, or an instant with its offset. */
export function isInstant(text: string): boolean {
  const written = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;
  return written.test(text) && !Number.isNaN(Date.parse(text));
}

function readHash(entry: Setting): string {
  const hash = entry.at("hash").text();
  if (hash !== "" && !keyHashPattern.test(hash)) {
    // Does not quote the value: it may be the key itself, pasted by mistake.
    entry
      .at("hash")
      .refuse("is not the hash of a key", "write sha256: and the 43 characters made with the key");
  }
  return hash;
}

/** Reads the keys of a file, and adds its problems to `problems`. */
export function loadKeys(path: string, problems: ConfigProblem[]): readonly KeyEntry[] {
  const reading = readYamlFile(path);
  if (reading.ok) return readKeys(new Setting(reading.file.value ?? {}, reading.file.positionOf, problems));
  problems.push(...reading.problems);
  return [];
}
