import { ResponseStatus } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { Run } from "../../../testing/run.ts";
import { findBinaryFaults } from "./check-binary.ts";

const png = { media_type: "image/png" };
const base64 = (bytes: number) => {
  const whole = Math.floor(bytes / 3);
  return "AAAA".repeat(whole) + ["", "AA==", "AAA="][bytes % 3];
};
const upload = {
  $ref: `baton:upload/${"a".repeat(64)}`,
  digest: `sha256:${"b".repeat(64)}`,
  size: 3,
  ...png,
};

describe("binary content in data", () => {
  it("[SAC-11] is base64 of up to 256 KiB with its media type, or the reference of an upload", () => {
    expect(
      findBinaryFaults({ chart: { $base64: base64(10), ...png }, list: [upload, { $ref: "#/other" }] }),
    ).toEqual([]);
    expect(findBinaryFaults({ chart: { $base64: base64(262_144), ...png } })).toEqual([]);
  });

  it.each([
    [{ $base64: base64(262_147), ...png }, "has 262149 bytes, which are more than 262144"],
    [{ $base64: "AAAA" }, "must have a media_type"],
    [{ $base64: "AAAA", media_type: "picture" }, "must have a media_type"],
    [{ $base64: "AAA", ...png }, "must be base64"],
    [{ $base64: "AA A", ...png }, "must be base64"],
    [{ $base64: 7, ...png }, "must be base64"],
    [{ ...upload, $ref: "baton:upload/other" }, "must be a reference as the hub returned it"],
    [{ ...upload, digest: "md5:1" }, "must be a reference as the hub returned it"],
    [{ ...upload, media_type: "" }, "must have a media_type"],
  ])("[SAC-11] is refused with its path: %j", (binary, fault) => {
    expect(findBinaryFaults({ pages: [{ picture: binary }] } as never)).toEqual([
      expect.stringContaining(`response.data.pages[0].picture: binary: ${fault}`),
    ]);
  });

  it("[SAC-11] goes back to the agent as feedback, like data that breaks a schema", () => {
    const run = new Run({});
    run.answer("a", { response: { status: ResponseStatus.SUCCESS, message: "", data: { $base64: "!" } } });
    run.fireTimer("retry");
    const [check] = run.envelope("a").reviewFeedback?.failedChecks ?? [];
    expect(check?.evidence).toBe("response.data: binary: must have a media_type, such as image/png");
  });
});
