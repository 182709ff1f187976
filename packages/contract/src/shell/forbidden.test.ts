import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SafetyContextSchema } from "../messages.ts";
import { forbiddenUse } from "./forbidden.ts";
import { readCommands } from "./read-commands.ts";

const safety = create(SafetyContextSchema, {
  prohibitedActions: ["git push", "rm -rf", "npm publish", "deploy", "git push --mirror"],
});

function verdict(name: string, given: Record<string, string | string[]>): string {
  const found = forbiddenUse(safety, { name, arguments: given });
  if (found === undefined) return "allowed";
  if (found.by !== "prohibited-action") return found.by;
  return found.isCertain ? `does ${found.action}` : `may ${found.action}`;
}
const bash = (command: string) => verdict("Bash", { command });

describe("[DIS-16] a prohibited action is matched on what a command does", () => {
  it.each([
    "git push",
    "git  push origin main",
    "cd app && git push",
    "git -C app push",
    "git -c user.name=x --no-pager push -f",
    "git --git-dir=.git --work-tree . push",
    "/usr/bin/git push",
    "../bin/git push",
    "GIT_SSH_COMMAND='ssh -i k' git push",
    "A=1 B='2 3' git push",
    "\\git push",
    "'git' \"push\"",
    "g''it pu\"\"sh",
    "g\\it push",
    "$'\\x67it' push",
    "$'git' $'\\160ush'",
    "git \\\n push",
    "git push > log 2>&1",
    "2>/dev/null git push",
    "true | git push",
    "(git push)",
    "{ git push; }",
    "if true; then git push; fi",
    "for i in 1 2; do git push; done",
    "while ! git push; do sleep 1; done",
    "case x in x) git push;; esac",
    "publish() { git push; }; publish",
    "echo $(git push)",
    "echo `git push`",
    `echo "$\{X:-$(git push)}"`,
    "diff <(git push) x",
    "cat <<END\n$(git push)\nEND",
    "env git push",
    "env -i PATH=/bin -u X git push",
    "env -S 'git push'",
    "/usr/bin/env git push",
    "sudo -u root git push",
    "nice -n 5 git push",
    "nohup git push &",
    "timeout 10 git push",
    "time -p git push",
    "exec git push",
    "command git push",
    "sh -c 'git push'",
    "bash -lc 'cd app; git push'",
    '/bin/bash -ec "git push"',
    "sudo env X=1 bash -c 'sh -c \"git push\"'",
    "eval git push",
    "eval 'git pu''sh'",
    "trap 'git push' EXIT",
    "ssh host 'git push'",
    "bash <<< 'git push'",
    "bash <<'END'\ngit push\nEND",
    "find . -name x -exec git push ';'",
    "xargs -n 1 git push < list",
    "git submodule foreach 'git push'",
    "git rebase -x 'git push' HEAD~3",
    "su -c 'git push'",
    "busybox sh -c 'git push'",
    "env --split-string='git push'",
    "env -S'git push'",
    "bash -c -- 'git push'",
    "bash -c -o errexit 'git push'",
    "git-push origin",
    "/usr/lib/git-core/git-push",
    "GIT_SSH_COMMAND='git push' git fetch",
    "PAGER='git push' git log",
    "git -c core.pager='git push' log",
    "tmux new -d 'git push'",
    "rsync -e 'git push' a b:",
    "tar --checkpoint-action=exec='git push' -cf a b",
    "vim -c '!git push' -c q",
    "at now <<< 'git push'",
  ])("%j", (command) => expect(bash(command)).toBe("does git push"));

  it.each([
    ["rm -rf x", "does rm -rf"],
    ["rm -fr x", "does rm -rf"],
    ["rm -r x -f", "does rm -rf"],
    ["rm -r -f x", "does rm -rf"],
    ["rm -fR x", "does rm -rf"],
    ["rm --recursive --force x", "does rm -rf"],
    ["rm --force -v -r x", "does rm -rf"],
    ["rm --recursive x", "allowed"],
    ["rm -vfr x", "does rm -rf"],
    ["npm --prefix app publish", "does npm publish"],
    ["npm --workspaces publish --tag next", "does npm publish"],
    ["npm pub", "may npm publish"],
    ["npm pu", "allowed"],
    ["deploy", "does deploy"],
    ["sh ./deploy", "does deploy"],
    [". bin/deploy", "does deploy"],
    ["sudo ./deploy --now", "does deploy"],
    ["env deploy", "does deploy"],
  ])("%j: %s", (command, expected) => expect(bash(command)).toBe(expected));

  it.each([
    ["git", { args: ["push", "--force"] }],
    ["git", { args: ["-C", "app", "push"] }],
    ["/usr/bin/git", { args: ["push"] }],
    ["env", { args: ["git", "push"] }],
    ["shell", { command: ["bash", "-lc", "git push"] }],
    ["shell", { command: ["git", "push"] }],
    ["exec", { cmd: "git push" }],
    ["run", { argv: ["git", "push"] }],
    ["terminal", { commands: ["cd app", "git push"] }],
    ["run", { script: "set -e\ngit push\n" }],
  ])("argument lists: %s %j", (name, given) => expect(verdict(name, given)).toBe("does git push"));
});

describe("[DIS-16] what cannot be known is refused when a prohibition could apply", () => {
  it.each([
    "git $VERB",
    'git "$VERB"',
    "git $(echo push)",
    "$GIT push",
    "$(echo git push)",
    "gi? push",
    "/usr/bin/g*t push",
    "git {push,--force}",
    `git p$\{X}h`,
    "x=push; git $x",
    "echo push | xargs git",
    "echo git push | sh",
    "echo git push | at now",
    'bash -c "$(base64 -d <<< Z2l0IHB1c2gK)"',
    'eval "$(cat script)"',
    "cat script | bash -s",
    "source <(printf 'git push')",
    'f() { git "$@"; }; f push',
    "alias g=git; g push",
    "git -c alias.p=push p",
    "git config alias.p push",
    "unknown-wrapper git push",
    "python3 -c \"import os; os.system('git push')\"",
    'node -e \'require("child_process").execFileSync("git", ["push"])\'',
    "python3 <<END\nimport subprocess; subprocess.run(['git', 'push'])\nEND",
    "git 'push",
    "g'it push",
    "echo $((1 + git push",
    `${"sh -c '".repeat(3)}git push`,
  ])("%j", (command) => expect(bash(command)).toMatch(/^may /));

  it("a line beyond the limits, when it mentions the program", () => {
    expect(bash(`echo ${"x".repeat(70_000)}; git push`)).toMatch(/^may git push/);
    expect(bash(`${"$(".repeat(40)}git push${")".repeat(40)}`)).toMatch(/^may /);
    expect(bash(`echo ${"x".repeat(70_000)}`)).toBe("allowed");
  });
});

describe("[DIS-16] what is no prohibited action passes", () => {
  it.each([
    "git status",
    "git pushed",
    "git log push",
    "git commit -m 'git push later'",
    'git commit -m "$MESSAGE"',
    "git --no-pager log push",
    "git -c user.name='Ada Push' log",
    "MESSAGE='git push' node notify.js",
    'bash -c "cd $DIR && npm test"',
    'sh -c "git log $RANGE"',
    "tar -czf push.tgz push",
    "rsync -a deploy host:",
    "git stash push",
    "echo git push",
    "printf '%s' 'git push'",
    "grep -r 'git push' docs",
    'rg "git push" | head',
    "# git push\nls",
    "cat <<'END' > how.md\nrun git push\nEND",
    "rm -r build",
    "rm -f x",
    "npm test -- publish",
    "npm run build && npm pack",
    "deployment-plan",
    "cat deploy",
    "command -v deploy",
    "which deploy",
    "ls ./deploy",
    "$HOME/bin/tool push",
    "node --test",
    "python3 script.py push",
    "sh build.sh",
    "sh < build.sh",
    "[ -f x ] && echo yes",
    'for f in *.ts; do wc -l "$f"; done',
    "make -j4 test",
    "cp -r a b; mkdir -p c; sed -i 's/push/pull/' d",
  ])("%j", (command) => expect(bash(command)).toBe("allowed"));

  it("prose and data in other arguments of a tool", () => {
    expect(verdict("Write", { file_path: "a.md", content: "git push" })).toBe("allowed");
    expect(verdict("git", { args: ["status"] })).toBe("allowed");
  });
});

describe("reading a line of shell", () => {
  it("ends for any text, and quoting a text keeps it one word", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."git push'\"\\$`(){}<>|&;#\n*?[]=-") }), (text) => {
        readCommands(text);
        const quoted = `'${text.replaceAll("'", "'\\''")}'`;
        expect(readCommands(`echo ${quoted}`)?.[0]?.words).toEqual(["echo", text]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes time that grows with the length alone", () => {
    for (const piece of ["$(", "`", "<(", "a ", "'", '"$(', "${", "<<E\n", "env "]) {
      bash(piece.repeat(Math.floor(60_000 / piece.length)));
    }
  });
});
