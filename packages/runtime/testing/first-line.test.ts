import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { firstLine } from "./first-line.ts";

const node = (code: string) => spawn(process.execPath, ["--eval", code]);

describe("the first line of a process", () => {
  it("is the first one, however it is split", async () => {
    const parts = 'process.stdout.write("re"); setTimeout(() => console.log("ady\\nmore"), 50)';
    expect(await firstLine(node(parts))).toBe("ready");
  });

  it("is an error with exit code and standard error when the process ends without one", async () => {
    const failing = node('console.error("no room"); process.exitCode = 4');
    await expect(firstLine(failing)).rejects.toThrow(/ended with 4 before it printed a line\nno room/);
  });

  it("is an error with the signal when the process is killed", async () => {
    const child = node("setInterval(() => {}, 1000)");
    child.kill("SIGKILL");
    await expect(firstLine(child)).rejects.toThrow("ended with SIGKILL");
  });

  it("is an error when the program does not exist", async () => {
    await expect(firstLine(spawn("/nowhere/at/all"))).rejects.toThrow("ENOENT");
  });
});
