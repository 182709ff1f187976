import { describe, expect, it } from "vitest";
import { isAllowed, isDenied } from "./match-tool.ts";

const bash = (command: string) => ({ name: "Bash", arguments: { command } });

describe("an entry with a pattern", () => {
  it.each([
    ["Bash", "anything; at all", true],
    ["Bash(echo hello)", "echo hello", true],
    ["Bash(echo hello)", "  echo   hello ", true],
    ["Bash(echo hello)", "echo hello there", false],
    ["Bash(echo hello)", "node --eval 1", false],
    ["Bash(npm test:*)", "npm test", true],
    ["Bash(npm test:*)", "npm test -- --watch", true],
    ["Bash(npm test:*)", "npm tests", false],
    ["Bash(npm test *)", "npm test", true],
    ["Bash(npm test *)", "npm test 2>&1", true],
    ["Bash(npm test *)", "npm test &> log", true],
    ["Bash(npm *)", "npm test; rm -r x", false],
    ["Bash(npm *)", "npm test && rm -r x", false],
    ["Bash(npm *)", "npm test & rm -r x", false],
    ["Bash(npm *)", "npm test\nrm -r x", false],
    ["Bash(npm *)", "npm test && npm run build", true],
    ["Bash(npm test && rm -r x)", "npm test && rm -r x", true],
    ["Bash(echo *)", "echo 'a; b' \"c | d\"", true],
    ["Bash(echo *)", "echo a\\; b", true],
    ["Bash(echo *)", "echo 'a'; rm 'b'", false],
    ["Bash(echo *)", "echo $(rm x)", false],
    ["Bash(echo *)", "echo `rm x`", false],
    ["Bash(echo *)", "echo $'\\'' ; rm x ; echo ''", false],
    ["Bash(echo *)", "echo # '\nrm x\n#'", false],
    ["Bash(echo *)", "echo 'open", false],
    ["Bash(git * main)", "git checkout main", true],
    ["Bash(git * main)", "git checkout main2", false],
    ["Bash(*)", "node", true],
    ["Bash(echo *", "echo x", false],
    ["Read(echo *)", "echo x", false],
    ["Bash(echo *)", "", false],
  ])("[DIS-16] on the allow list, %s lets %j pass: %s", (entry, command, passes) => {
    expect(isAllowed(["Read", entry], bash(command))).toBe(passes);
  });

  it.each([
    ["Bash(rm *)", "rm -r x", true],
    ["Bash(rm:*)", "cd a && rm x", true],
    ["Bash(rm *)", "echo $(true; rm x", true],
    ["Bash(rm *)", "rmdir x", false],
    ["Bash(rm *)", "echo rm x", false],
    ["Bash", "echo", true],
    ["Read(rm *)", "rm x", false],
  ])("[DIS-16] on the deny list, %s holds %j: %s", (entry, command, isHeld) => {
    expect(isDenied([entry], bash(command))).toBe(isHeld);
  });

  it("[DIS-16] also speaks of the arguments of a program, and of no tool that runs nothing", () => {
    const git = (...args: string[]) => ({ name: "git", arguments: { args } });
    expect(isAllowed(["git(log *)"], git("log", "-1"))).toBe(true);
    expect(isAllowed(["git(log *)"], git("push"))).toBe(false);
    expect(isDenied(["git(push:*)"], { ...git("push", "-f"), name: "/usr/bin/git" })).toBe(true);
    expect(isAllowed(["Read(src/*)"], { name: "Read", arguments: { file_path: "src/a" } })).toBe(false);
  });

  it("[DIS-16] is held against a command in time that its length bounds", () => {
    expect(isAllowed([`Bash(${"a*".repeat(200)}b)`], bash("a".repeat(20_000)))).toBe(false);
  });
});
