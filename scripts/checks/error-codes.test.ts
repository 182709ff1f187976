import { describe, expect, test } from "vitest";
import { makeTree } from "../testing/repository.ts";
import { checkErrorCodes } from "./error-codes.ts";

const page = "docs/reference/errors.md";
const source = "packages/door/src/lock.ts";

describe("the page of error codes", () => {
  test("passes when it lists what the source gives; tests may make codes up", async () => {
    const tree = makeTree({
      [page]: "| `BATON-DOOR-001` | it is locked |",
      [source]: 'throw new DoorError("BATON-DOOR-001");',
      "packages/door/src/lock.test.ts": '"BATON-DOOR-999"',
      "packages/door/src/testing/lock.ts": '"BATON-DOOR-998"',
    });
    expect(await checkErrorCodes(tree)).toEqual({ status: "passed", note: "1 codes" });
  });

  test("fails for a code that is not listed, and for one that nothing gives", async () => {
    const tree = makeTree({ [page]: "`BATON-DOOR-001`", [source]: '"BATON-DOOR-002" "BATON-DOOR-002"' });
    expect(await checkErrorCodes(tree)).toEqual({
      status: "failed",
      output: [
        "BATON-DOOR-001  nothing gives it any more",
        `BATON-DOOR-002  ${source} gives it`,
        `fix: add the codes to ${page}, or take them out of it`,
      ].join("\n"),
    });
  });

  test("fails when there is none", async () => {
    expect(await checkErrorCodes(makeTree({ [source]: "" }))).toMatchObject({ status: "failed" });
  });
});
