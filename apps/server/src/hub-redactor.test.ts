import { expect, it } from "vitest";
import { hubRedactor } from "./hub-redactor.ts";

it("[OBS-05] masks secrets of the environment, and not the working folder, which shells call PWD", () => {
  const redactor = hubRedactor(undefined, {
    PWD: "/srv/project",
    OLDPWD: "/srv/project/packs",
    MY_API_TOKEN: "correct-horse-battery",
  });
  const text = "at /srv/project/packs/a:1:1 with correct-horse-battery";
  expect(redactor.redactText(text).text).toBe("at /srv/project/packs/a:1:1 with [redacted:known-secret]");
});
