/**
 * What a command executes, whatever it is wrapped in: `env`, `sudo`, `sh -c`, `eval`, `xargs`, `find -exec`, an alias,
 * the here-document of a shell. A word list that begins with the program, for each.
 */
import { readCommands, type SimpleCommand, unknownText, unknownWords } from "./read-commands.ts";

export interface Executed {
  readonly commands: readonly Command[];
  /** Text of other languages that is executed: `python -c`, `node -e`. */
  readonly code: readonly string[];
  /** Text that no one can read as commands; it may execute anything that it mentions. */
  readonly unreadable: readonly string[];
}

export interface Command {
  readonly words: readonly string[];
  /** Where the program stands among the words. */
  readonly from: number;
  readonly assigned: readonly string[];
  /** It stands behind another program, which may or may not run it: `anything git push`. */
  readonly isArgument: boolean;
}

const shells = new Set("sh bash dash ash zsh ksh mksh fish rbash busybox".split(" "));
const interpreters = new Set(
  "python python2 python3 pypy pypy3 node nodejs deno bun tsx perl ruby php lua osascript awk gawk mawk expect tclsh".split(
    " ",
  ),
);
/** Programs that run the command in their arguments, as words or as one text. */
const runners = new Set(
  (
    "env sudo doas su runuser pkexec setpriv chroot nice ionice nohup setsid exec command builtin time timeout stdbuf " +
    "unbuffer chrt taskset numactl flock unshare nsenter xargs parallel watch entr strace ltrace script ssh find fd firejail " +
    "bwrap systemd-run dbus-run-session caffeinate npx bunx pnpx direnv nix-shell docker podman kubectl"
  ).split(" "),
);
/** Programs that run a text among their arguments: `tmux new -d 'git push'`, `rsync -e 'ssh -p 22'`. */
const textRunners = new Set("tmux screen rsync tar vim vi nvim ex emacs gdb pwsh powershell".split(" "));
/** Variables whose value programs run: `PAGER`, `GIT_SSH_COMMAND`. */
const executedVariable = /^(?:GIT_\w+|\w*(?:PAGER|EDITOR|COMMAND|BROWSER)|VISUAL|BASH_ENV|ENV)=/;
/** Programs whose arguments are data, so that `echo git push` pushes nothing. */
const printers = new Set(
  (
    "echo printf cat ls cd grep egrep rg ag sed head tail wc test [ [[ : true false type which whereis man whatis mkdir touch rm cp " +
    "mv diff jq tee sort uniq cut tr basename dirname export local readonly declare read"
  ).split(" "),
);

/** Nesting of `sh -c "sh -c …"` beyond which a text counts as unreadable. */
const deepest = 8;
const mostExecuted = 4_000;

export function executedByLine(line: string): Executed {
  const collector = new Collector();
  collector.line(line, 0);
  return collector;
}

export function executedByWords(words: readonly string[]): Executed {
  const collector = new Collector();
  collector.command({ words, assigned: [], input: undefined }, 0);
  return collector;
}

/** The program that a path names: `/usr/bin/git` is git. */
export function programOf(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

class Collector implements Executed {
  readonly commands: Command[] = [];
  readonly code: string[] = [];
  readonly unreadable: string[] = [];

  line(line: string, depth: number): void {
    const read = depth > deepest || this.commands.length > mostExecuted ? undefined : readCommands(line);
    if (read === undefined) this.unreadable.push(line);
    for (const one of read ?? []) this.command(one, depth);
  }

  command({ words: given, assigned, input }: SimpleCommand, depth: number): void {
    const words = withoutDash(given);
    this.commands.push({ words, from: 0, assigned, isArgument: false });
    const [first] = words;
    if (first === undefined) return;
    const program = programOf(first);
    for (const one of assigned) if (executedVariable.test(one)) this.#again(assignedValue(one), depth);
    if (program === "alias") for (const word of words.slice(1)) this.#alias(word, depth);
    if (program === "eval" || program === "trap") this.#again(words.slice(1).join(" "), depth);
    if (program === "at" || program === "batch") this.#script([], input, depth);
    if (program === "git")
      for (const setting of settingsOf(words)) this.#again(assignedValue(setting), depth);
    if (program === "." || program === "source") this.#script(words.slice(1), undefined, depth);
    if (shells.has(program)) this.#script(words.slice(1), input, depth);
    if (interpreters.has(program)) this.code.push(...words.slice(1), ...(input === undefined ? [] : [input]));
    if (program === "command" && words.slice(1).some((word) => /^-\w*[vV]/.test(word))) return;
    if (printers.has(program)) return;
    if (textRunners.has(program)) for (const word of words.slice(1)) this.#text(word, depth);
    this.#behind(words, runners.has(program) || runsArguments(words), input, depth);
  }

  /** A text that is read as commands only when it runs: what is unknown of it may be several words. */
  #again(text: string, depth: number): void {
    this.line(text.replaceAll(unknownText, expansion).replaceAll(unknownWords, expansion), depth + 1);
  }

  /** An argument that has a command in it, alone or as the value of an option: `-S'git push'`, `--rsh='git push'`. */
  #text(word: string, depth: number): void {
    if (!/\s/.test(word)) return;
    this.#again(word.replace(/^[:!]+/, ""), depth);
    const value = word.replace(/^-(?:-[\w-]+=|[A-Za-z])/, "");
    if (value !== word) this.#again(value, depth);
    if (/^[\w.-]+=/.test(value)) this.#again(assignedValue(value), depth);
  }

  /** A shell: what follows `-c`, and what it reads where no file is named. */
  #script(args: readonly string[], input: string | undefined, depth: number): void {
    const at = args.findIndex((word) => /^-[A-Za-z]*c[A-Za-z]*$/.test(word));
    if (at >= 0) return this.#again(operandsOf(args.slice(at + 1))[0] ?? "", depth);
    const operands = operandsOf(args);
    const [operand] = operands;
    const isStream = operand === undefined || operand === "-" || /^\/(?:dev|proc)\//.test(operand);
    // The file of a script is executed under its name.
    if (!isStream)
      return void this.commands.push({ words: operands, from: 0, assigned: [], isArgument: false });
    if (input === undefined && operand === undefined) return;
    if (input === undefined || input.includes(unknownWords)) this.commands.push(anything);
    else this.line(input, depth + 1);
  }

  #alias(word: string, depth: number): void {
    const value = word.slice(word.indexOf("=") + 1);
    if (word.includes("=")) this.line(`${value} $@`, depth + 1);
  }

  /** The commands among a program's arguments. */
  #behind(given: readonly string[], isRunner: boolean, input: string | undefined, depth: number): void {
    const program = programOf(given[0] ?? "");
    const words = program === "xargs" || program === "parallel" ? [...given, unknownWords] : given;
    for (let at = 1; at < given.length; at++) {
      const word = given[at] ?? "";
      if (isRunner) this.#text(word, depth);
      if (word.startsWith("-")) continue;
      if (this.commands.length > mostExecuted) return void this.unreadable.push(given.join(" "));
      const inner = programOf(word);
      if (isRunner && (shells.has(inner) || interpreters.has(inner) || inner === "eval")) {
        return this.command({ words: words.slice(at), assigned: [], input }, depth + 1);
      }
      this.commands.push({ words, from: at, assigned: [], isArgument: !isRunner });
    }
  }
}

/** `git-push` is `git push`. */
function withoutDash(words: readonly string[]): readonly string[] {
  const verb = /^git-([a-z-]+)$/.exec(programOf(words[0] ?? ""))?.[1];
  return verb === undefined ? words : ["git", verb, ...words.slice(1)];
}

/** What `git -c key=value` sets: some of it is run, such as `core.sshCommand`. */
function settingsOf(words: readonly string[]): readonly string[] {
  return words.filter((word, at) => words[at - 1] === "-c" && /^[\w.-]+=.*\s/s.test(word));
}

function assignedValue(assignment: string): string {
  return assignment.slice(assignment.indexOf("=") + 1);
}

/** The arguments of a shell from the first one on that is no option; `-o` and `-O` take the next word. */
function operandsOf(args: readonly string[]): readonly string[] {
  let at = 0;
  while (/^[-+]./.test(args[at] ?? "")) {
    if (args[at] === "--") return args.slice(at + 1);
    at += /^[-+][A-Za-z]*[oO]$/.test(args[at] ?? "") ? 2 : 1;
  }
  return args.slice(at);
}

/** What a shell reads as a part of which nothing is known. */
const expansion = "$\u007bX}";

/** A command of which nothing is known. */
const anything: Command = { words: [unknownWords], from: 0, assigned: [], isArgument: false };

/** `git rebase --exec`, `git submodule foreach` and `git bisect run` run a command of their own. */
function runsArguments(words: readonly string[]): boolean {
  return (
    programOf(words[0] ?? "") === "git" &&
    words.some((word) => /^(?:foreach|run|-x|--exec(?:=.*)?)$/.test(word))
  );
}
