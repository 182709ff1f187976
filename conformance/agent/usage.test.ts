import { describe, expect, it } from "vitest";
import { readArguments, UsageError } from "./usage.ts";

describe("the arguments of the check", () => {
  it("say how the agent is reached, and which program it is", () => {
    const given = [
      "--transport",
      "grpc",
      "--listen",
      "[::1]:7000",
      "--patience",
      "500",
      "--",
      "node",
      "a.js",
      "-x",
    ];
    expect(readArguments(given, "secret")).toEqual({
      wantsHelp: false,
      command: ["node", "a.js", "-x"],
      options: {
        transport: "grpc",
        listen: { host: "::1", port: 7000 },
        token: "secret",
        patienceMs: 500,
        capacity: 1,
        taskTypes: [],
      },
    });
  });

  it.for([
    [[], "--transport must be attached, grpc or http-json, and not absent"],
    [["--transport", "grpc", "--address", "here"], "--address must be a URL such as http://127.0.0.1:8080"],
    [["--transport", "attached", "--listen", "7433"], "--listen must be HOST:PORT such as 127.0.0.1:7433"],
    [["--transport", "attached", "--listen", "a:99999"], "--listen must be HOST:PORT such as 127.0.0.1:7433"],
    [["--transport", "attached", "--patience", "0"], "--patience must be a whole number from 1 to 600000"],
    [["--transport", "attached", "--capacity", "two"], "--capacity must be a whole number from 1 to 600000"],
    [["--transport", "attached", "--nonsense"], "Unknown option '--nonsense'"],
  ] as const)("are refused when they are %j, with what is right", ([args, message]) => {
    expect(() => readArguments(args, undefined)).toThrow(UsageError);
    expect(() => readArguments(args, undefined)).toThrow(message);
  });
});
