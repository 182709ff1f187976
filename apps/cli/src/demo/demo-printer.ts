import type { AgentInstance } from "@baton/contract/forms";
import { limits } from "../limits.ts";
import { outputTerminal } from "../output.ts";
import { nameOf } from "../queries/find-agent.ts";
import type { Ready } from "../server/ready-line.ts";
import { eventLine, heading, labelWidth, renderStoryLine, type StoryLine } from "../story/story-line.ts";
import { paint, piece, signsOf } from "../terminal/paint.ts";
import { pause } from "../terminal/pause.ts";

const clearLine = "\r\u001b[2K";

/** Prints the demonstration: on a terminal at reading speed, in a pipe at once. */
export class DemoPrinter {
  readonly #signal: AbortSignal;
  #hasNotice = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  open({ what, note }: { readonly what: string; readonly note: string }): void {
    this.printLine(
      heading("Baton", "hands tasks to AI agents, checks what they answer, and keeps a record of all of it"),
    );
    this.printLine(eventLine("shown", what));
    this.printLine(eventLine("note", note));
  }

  hubIsUp({ grpc, mode }: Ready): void {
    this.printLine(eventLine("hub", [{ mark: "done", text: `is up at ${grpc}, in ${mode} mode` }]));
  }

  pageIsAt(http: string): void {
    this.printLine(eventLine("page", `open ${http} in a browser to see all of it live`));
  }

  agentsAreThere(agents: readonly AgentInstance[]): void {
    const lines = agents.map((agent) => {
      const { packId } = nameOf(agent);
      return { mark: "done" as const, text: `${packId}: ${agent.manifest?.description ?? ""}` };
    });
    this.printLine(eventLine("agents", lines));
  }

  /** Prints a line after a pause on a terminal. */
  async printPaced(storyLine: StoryLine): Promise<void> {
    if (outputTerminal().isTerminal) await pause(limits.demoLineMs, this.#signal);
    this.printLine(storyLine);
  }

  printLine(storyLine: StoryLine): void {
    this.print(renderStoryLine(outputTerminal(), storyLine));
  }

  /** Commands stay on one line, to be copied. */
  printCommands(commands: readonly string[]): void {
    const terminal = outputTerminal();
    this.print(commands.map((command) => `  ${paint(terminal, piece(command, "busy"))}`));
  }

  /** Addresses with labels. They stay on one line too. */
  printAddresses(addresses: readonly (readonly [label: string, address: string])[]): void {
    const terminal = outputTerminal();
    const quiet = (label: string) => paint(terminal, piece(label.padEnd(labelWidth), "quiet"));
    this.print(
      addresses.map(([label, address]) => `  ${quiet(label)}  ${paint(terminal, piece(address, "busy"))}`),
    );
  }

  print(lines: readonly string[]): void {
    this.endNotice();
    process.stdout.write(`${lines.join("\n")}\n`);
  }

  /** Shows what is waited for, until the next line. Only on a terminal, which can erase it. */
  notice(text: string): void {
    const terminal = outputTerminal();
    if (!terminal.isTerminal || process.env.TERM === "dumb") return;
    this.endNotice();
    process.stdout.write(`  ${paint(terminal, piece(`${text} ${signsOf(terminal).ellipsis}`, "quiet"))}`);
    this.#hasNotice = true;
  }

  endNotice(): void {
    if (!this.#hasNotice) return;
    process.stdout.write(clearLine);
    this.#hasNotice = false;
  }
}
