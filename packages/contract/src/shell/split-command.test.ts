import { describe, expect, it } from "vitest";
import { splitCommand } from "./split-command.ts";

describe("the words of a command", () => {
  it.each([
    ["npm test", ["npm", "test"]],
    ["  npm   run  lint:all -- --max=1 ", ["npm", "run", "lint:all", "--", "--max=1"]],
    [`node -e "a 'b' \\"c\\""`, ["node", "-e", `a 'b' "c"`]],
    [`node -e 'a "b" \\ $c'`, ["node", "-e", `a "b" \\ $c`]],
    ["a\\ b c", ["a b", "c"]],
    [`--name="x y"z`, ["--name=x yz"]],
    [`run ""`, ["run", ""]],
    ["", []],
  ])("of %j", (line, words) => {
    expect(splitCommand(line)).toEqual(words);
  });

  it.each([
    "a && b",
    "a | b",
    "a; b",
    "a > b",
    "echo $HOME",
    "ls *.ts",
    "a `b`",
    'echo "$HOME"',
    "'open",
    "(a)",
    "~/run",
  ])("cannot be split without a shell: %j", (line) => {
    expect(splitCommand(line)).toBeUndefined();
  });
});
