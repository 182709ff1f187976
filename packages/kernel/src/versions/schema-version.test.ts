import { schemaVersion } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { checkSchemaVersion } from "./schema-version.ts";

describe("checkSchemaVersion", () => {
  it("[CON-11] accepts a newer minor version", () => {
    expect(checkSchemaVersion("1.0.0", "1.7.2")).toEqual({ accepted: true });
    expect(checkSchemaVersion(schemaVersion, schemaVersion)).toEqual({ accepted: true });
  });

  it("[CON-11] accepts an older minor version and a build suffix", () => {
    expect(checkSchemaVersion("1.4.0", "1.0.9")).toEqual({ accepted: true });
    expect(checkSchemaVersion("1.4.0", "1.5.0-rc.1+abc")).toEqual({ accepted: true });
  });

  it("[CON-11] refuses another major version and says which", () => {
    expect(checkSchemaVersion("1.0.0", "2.0.0")).toEqual({
      accepted: false,
      reason: "schema version 2.0.0 cannot be read by 1.0.0: the major version differs",
    });
  });

  it("treats minor versions before 1.0 as major", () => {
    expect(checkSchemaVersion("0.2.0", "0.3.0").accepted).toBe(false);
    expect(checkSchemaVersion("0.2.0", "0.2.9").accepted).toBe(true);
  });

  it.each(["", "1", "1.0", "v1.0.0", "1.0.0.0", "01.0.0", "1.0.-1", `1.${"9".repeat(400)}.0`])(
    "refuses %j, which is not a version",
    (version) => {
      expect(checkSchemaVersion("1.0.0", version)).toEqual({
        accepted: false,
        reason: `"${version}" is not a version: expected MAJOR.MINOR.PATCH`,
      });
    },
  );
});
