import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect } from "vitest";
import { type AtEnd, scratchFolder } from "../testing/real-hub.ts";
import { type Ran, type Running, startScript, startScriptOnTerminal } from "../testing/run-baton.ts";
import { makeClone } from "./clone.ts";
import { notFollowed } from "./not-followed.ts";
import { type Block, readPage } from "./read-page.ts";

export interface Typing {
  /** The expected exit code. Default: 0. */
  readonly code?: number;
  readonly onTerminal?: boolean;
  /** Input, and the text on the terminal that it follows. */
  readonly answer?: readonly [question: string, answer: string];
}

/** Executes a page from top to bottom, in a folder like a clone. */
export class Follower {
  readonly page: string;
  readonly folder: string;
  readonly env: Record<string, string>;
  /** The current folder of the shell. */
  cwd: string;
  /** The HTTP address of the hub of the page. */
  http = "";
  readonly #blocks: Block[];
  readonly #atEnd: AtEnd;
  readonly #placeholders = new Map<string, string>();
  readonly #stale = new Set<string>();

  constructor(page: string, atEnd: AtEnd) {
    this.page = page;
    this.folder = scratchFolder(atEnd);
    this.cwd = this.folder;
    this.env = { ...makeClone(this.folder) };
    this.#atEnd = atEnd;
    this.#blocks = readPage(page).filter((block) => !isNotFollowed(page, block));
  }

  /** Replaces examples of the page by actual values: ids, hashes, paths, ports. */
  put(placeholders: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(placeholders)) {
      if (!this.#placeholders.has(name)) this.#stale.add(name);
      this.#placeholders.set(name, value);
    }
  }

  /** Runs the next command of the page, which begins like this. */
  async run(beginning: string, { code = 0, onTerminal = false, answer }: Typing = {}): Promise<Ran> {
    const script = this.#take("command", beginning);
    const running = this.type(script, onTerminal || answer !== undefined);
    if (answer !== undefined) {
      await running.printed(answer[0]);
      running.child.stdin?.write(`${answer[1]}\r`);
    }
    const ran = await running.ended;
    expect(ran.code, `${this.page}: ${script}\n${ran.stdout}\n${ran.stderr}`).toBe(code);
    return ran;
  }

  /** Starts the next command, which keeps running, and waits until it prints this. */
  async start(beginning: string, printed: string, { onTerminal = false }: Typing = {}): Promise<Running> {
    const running = this.type(this.#take("command", beginning), onTerminal);
    await running.printed(printed);
    return running;
  }

  /** Starts the hub as the page does; later commands use it. */
  async startHub(beginning = "npx baton up"): Promise<Running> {
    return this.reach(this.type(this.#take("command", beginning)));
  }

  /** Lets later commands use a started hub. */
  async reach(hub: Running): Promise<Running> {
    const isReady = '"ready":true';
    await hub.printed(isReady);
    const lines = hub.soFar().split("\n");
    const { grpc, http } = JSON.parse(lines.find((line) => line.includes(isReady)) ?? "{}");
    this.env.BATON_HUB = grpc;
    this.http = http;
    return hub;
  }

  /** Starts a script that the page describes or requires. */
  type(script: string, onTerminal = false): Running {
    const start = onTerminal ? startScriptOnTerminal : startScript;
    const running = start(script, { env: this.env, cwd: this.cwd });
    this.#atEnd(async () => {
      running.interrupt();
      await running.ended;
    });
    return running;
  }

  /** Runs such a script; it must succeed. */
  async prepare(script: string): Promise<Ran> {
    const ran = await this.type(script).ended;
    expect(ran.code, `${script}\n${ran.stdout}\n${ran.stderr}`).toBe(0);
    return ran;
  }

  /** Saves the next file of the page under its name there. */
  save(beginning: string, path: string): string {
    return this.write(path, this.#take("file", beginning));
  }

  /** Saves a file that follows further below on the page. */
  saveAhead(beginning: string, path: string): string {
    const index = this.#blocks.findIndex(({ kind, text }) => kind === "file" && text.startsWith(beginning));
    expect(index, `${this.page} has no file that begins with: ${beginning}`).toBeGreaterThanOrEqual(0);
    const [block] = this.#blocks.splice(index, 1);
    return this.write(path, this.#fill(block?.text ?? ""));
  }

  write(path: string, text: string): string {
    const whole = join(this.folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    return whole;
  }

  /** Compares the next output of the page with the printed output. */
  compare(printed: string, beginning = ""): void {
    expectOutput(printed, this.#take("output", beginning));
  }

  /** The next output of the page. */
  output(beginning: string): string {
    return this.#take("output", beginning);
  }

  /** The next listing of the page. */
  listing(beginning: string): string {
    return this.#take("listing", beginning);
  }

  /** Fails if blocks of the page are left, or a placeholder is not on the page. */
  end(): void {
    const left = this.#blocks.map(({ line, text }) => `${this.page}:${line}: ${text}`);
    expect(left, "blocks that nobody follows").toEqual([]);
    expect([...this.#stale], "placeholders that the page does not have").toEqual([]);
  }

  #take(kind: Block["kind"], beginning: string): string {
    const block = this.#blocks.shift();
    const where = `${this.page}:${block?.line ?? "end"}`;
    expect(`${block?.kind} ${this.#fill(block?.text ?? "")}`, `the next block, ${where}`).toSatisfy(
      (text: string) => text.startsWith(`${kind} ${beginning}`),
      `begins with: ${kind} ${beginning}`,
    );
    return this.#fill(block?.text ?? "");
  }

  #fill(text: string): string {
    let filled = text;
    // The longest first: one may be a part of another.
    const byLength = [...this.#placeholders].sort(([a], [b]) => b.length - a.length);
    for (const [name, value] of byLength) {
      if (filled.includes(name)) this.#stale.delete(name);
      filled = filled.replaceAll(name, value);
    }
    return filled;
  }
}

function isNotFollowed(page: string, { text }: Block): boolean {
  return notFollowed.some((entry) => entry.page === page && text.startsWith(entry.beginning));
}

/**
 * Matches every line of the page in order. `[...]` stands for any lines, `…` and `...` for anything within a line. Times
 * and the width of blanks are ignored.
 */
export function expectOutput(printed: string, expected: string): void {
  const lines = printed.split("\n").map(plain);
  let at = 0;
  for (const line of expected.split("\n")) {
    if (line.trim() === "" || line === "[...]") continue;
    const parts = plain(line).split(/…|\.\.\./);
    const pattern = new RegExp(parts.map((part) => patternOf(part.trim())).join(".*"));
    const found = lines.findIndex((text, index) => index >= at && pattern.test(text));
    expect(found, `"${line}" is not printed, or not in this order:\n${printed}`).toBeGreaterThanOrEqual(0);
    at = found + 1;
  }
}

function patternOf(text: string): string {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return escaped.replace(/\b\d+(?:\\\.\d+)?m?s\b/g, "[\\d.]+m?s");
}

function plain(line: string): string {
  return stripVTControlCharacters(line).replace(/\s+/g, " ").trim();
}
