import { nameFault } from "@baton/kernel";
import { type KeyEntry, keyHashPattern, keyIdPattern, type Role, roles } from "../border/keys.ts";
import type { Given } from "./given.ts";

/** Reads `keys:` as a person wrote it, or as it was written for them. */
export function readKeys(root: Given): readonly KeyEntry[] {
  const seen = new Set<string>();
  return root
    .only(["keys"])
    .at("keys")
    .list()
    .map((entry) => {
      entry.only(["id", "tenant", "roles", "hash", "expires"]);
      const id = entry.at("id").text();
      if (id !== "" && !keyIdPattern.test(id)) {
        entry.at("id").complain("cannot name a key", "use up to 64 of a-z, 0-9 and -");
      }
      if (seen.has(id))
        entry.at("id").complain(`"${id}" is there twice`, "rename one of them, or leave it out");
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

function readTenant(given: Given): string {
  const tenant = given.text();
  const why = nameFault(tenant);
  if (why !== undefined) given.complain(why, "use up to 256 characters that can be seen");
  return tenant;
}

function readRoles(given: Given): readonly Role[] {
  const named = given.list().map((item) => {
    const role = roles.find((known) => known === item.value);
    if (role === undefined) item.complain("is not a role", `use one of: ${roles.join(", ")}`);
    return role;
  });
  if (named.length === 0) given.complain("must name at least one role", `use some of: ${roles.join(", ")}`);
  return named.filter((role) => role !== undefined);
}

function readExpiry(given: Given): Pick<KeyEntry, "expires"> {
  if (!given.isThere) return {};
  const expires = given.text();
  if (expires !== "" && !isInstant(expires))
    given.complain("is not a date", "write it as 2027-01-31 or 2027-01-31T12:00:00Z");
  return { expires };
}

/** A day, which begins in UTC, or an instant with its offset. */
export function isInstant(text: string): boolean {
  const written = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;
  return written.test(text) && !Number.isNaN(Date.parse(text));
}

function readHash(entry: Given): string {
  const hash = entry.at("hash").text();
  if (hash !== "" && !keyHashPattern.test(hash)) {
    // A key that somebody put here by mistake must not be told to the log.
    entry
      .at("hash")
      .complain("is not the hash of a key", "write sha256: and the 43 characters made with the key");
  }
  return hash;
}
