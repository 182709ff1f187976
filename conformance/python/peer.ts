/** Talks to peer.py: one process for as many questions as one likes. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

/** A message in one of its two forms. */
export type Encoded = { readonly binary: Uint8Array } | { readonly json: string };

export interface Reading<Form> {
  /** The message as Python writes it. */
  readonly message: Form;
  /** What Python finds set, in no particular order. */
  readonly paths: readonly string[];
}

export interface Comparison {
  readonly equal: boolean;
  readonly left: readonly string[];
  readonly right: readonly string[];
}

type Answer = { readonly id: number; readonly error?: string } & Readonly<Record<string, unknown>>;

const protoFolder = resolve(import.meta.dirname, "../../proto");

export class PythonPeer {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #generated: string;
  readonly #waiting = new Map<number, (answer: Answer | Error) => void>();
  #lastId = 0;
  #complaints = "";
  /** Why no more answers will come. */
  #failure: Error | undefined;

  private constructor(child: ChildProcessWithoutNullStreams, generated: string) {
    this.#process = child;
    this.#generated = generated;
    createInterface({ input: child.stdout }).on("line", (line) => this.#receive(JSON.parse(line) as Answer));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#complaints += text;
    });
    child.stdin.on("error", () => {}); // A pipe breaks when its reader ends, and that is reported below.
    child.on("error", (error) => this.#giveUp(error));
    child.on("close", (code) =>
      this.#giveUp(new Error(`the peer ended with code ${code}\n${this.#complaints}`)),
    );
  }

  /** Generates the Python code for the contract as it is now, and starts a process that uses it. */
  static start(python: string, protoc: string): PythonPeer {
    const generated = mkdtempSync(join(tmpdir(), "baton-python-"));
    const protos = globSync("{buf,vasini}/**/*.proto", { cwd: protoFolder }).sort();
    execFileSync(protoc, ["--proto_path", protoFolder, "--python_out", generated, ...protos], {
      stdio: "pipe",
    });
    // -B: leaves no compiled files beside the source.
    const child = spawn(python, ["-B", join(import.meta.dirname, "peer.py"), generated]);
    return new PythonPeer(child, generated);
  }

  /** Lets Python read a message and write it again in the same form. */
  async read<Form extends Encoded>(type: string, message: Form): Promise<Reading<Form>> {
    const form = "json" in message ? "json" : "binary";
    const answer = await this.ask({ op: "read", type, message: toLine(message), as: form });
    return { message: fromLine(answer.message as Line) as Form, paths: answer.paths as string[] };
  }

  async compare(type: string, left: Encoded, right: Encoded): Promise<Comparison> {
    const answer = await this.ask({ op: "compare", type, left: toLine(left), right: toLine(right) });
    return answer as unknown as Comparison;
  }

  async ask(request: Readonly<Record<string, unknown>>): Promise<Answer> {
    if (this.#failure) throw this.#failure;
    const id = ++this.#lastId;
    const answer = await new Promise<Answer | Error>((settle) => {
      this.#waiting.set(id, settle);
      this.#process.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
    });
    if (answer instanceof Error) throw answer;
    if (answer.error !== undefined) throw new Error(`the peer says: ${answer.error}`);
    return answer;
  }

  end(): void {
    this.#process.stdin.end();
    rmSync(this.#generated, { recursive: true, force: true });
  }

  #receive(answer: Answer): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  #giveUp(error: Error): void {
    this.#failure ??= error;
    for (const settle of this.#waiting.values()) settle(error);
    this.#waiting.clear();
  }
}

/** An encoded message inside a line of JSON. */
type Line = { readonly binary: string } | { readonly json: string };

function toLine(message: Encoded): Line {
  return "json" in message ? message : { binary: Buffer.from(message.binary).toString("base64") };
}

function fromLine(line: Line): Encoded {
  return "json" in line ? line : { binary: Buffer.from(line.binary, "base64") };
}
