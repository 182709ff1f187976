import type { AgentInstance } from "@baton/contract/forms";
import { nameOf } from "../hub/find-agent.ts";
import { limits } from "../limits.ts";
import { type Beat, deed, heading, labelWidth, renderBeat } from "../narration/beat.ts";
import type { Ready } from "../server/ready-line.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import { pause } from "../terminal/pause.ts";
import { lookOfOutput } from "../writing.ts";

const clearLine = "\r\u001b[2K";

/** Says what happens: to a person at the pace of reading, in a pipe at once. */
export class Narrator {
  readonly #signal: AbortSignal;
  #hasNotice = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  open(): void {
    this.say(
      heading("Baton", "hands tasks to AI agents, checks what they answer, and keeps a record of all of it"),
    );
    this.say(deed("shown", "a hub, three agents and a task, on this machine"));
    this.say(deed("note", "the agents are scripted: no model is called, and nothing is spent"));
  }

  hubIsUp({ grpc, mode }: Ready): void {
    this.say(deed("hub", [{ mark: "done", text: `is up at ${grpc}, in ${mode} mode` }]));
  }

  pageIsAt(http: string): void {
    this.say(deed("page", `open ${http} in a browser to see all of it live`));
  }

  agentsAreThere(agents: readonly AgentInstance[]): void {
    const said = agents.map((agent) => {
      const { packId } = nameOf(agent);
      return { mark: "done" as const, text: `${packId}: ${agent.manifest?.description ?? ""}` };
    });
    this.say(deed("agents", said));
  }

  /** Tells it, and gives a person time to read it. */
  async tell(beat: Beat): Promise<void> {
    if (lookOfOutput().isTerminal) await pause(limits.demoBeatMs, this.#signal);
    this.say(beat);
  }

  say(beat: Beat): void {
    this.print(renderBeat(lookOfOutput(), beat));
  }

  /** Lines to be copied: they stay whole. */
  sayCommands(commands: readonly string[]): void {
    const look = lookOfOutput();
    this.print(commands.map((command) => `  ${paint(look, piece(command, "busy"))}`));
  }

  /** Addresses to be opened, each with what is to be seen there; they stay whole too. */
  sayPlaces(places: readonly (readonly [label: string, address: string])[]): void {
    const look = lookOfOutput();
    const quiet = (label: string) => paint(look, piece(label.padEnd(labelWidth), "quiet"));
    this.print(places.map(([label, address]) => `  ${quiet(label)}  ${paint(look, piece(address, "busy"))}`));
  }

  print(lines: readonly string[]): void {
    this.endNotice();
    process.stdout.write(`${lines.join("\n")}\n`);
  }

  /** What is waited for, until something else is said. Only a terminal can take it back. */
  notice(text: string): void {
    const look = lookOfOutput();
    if (!look.isTerminal || process.env.TERM === "dumb") return;
    this.endNotice();
    process.stdout.write(`  ${paint(look, piece(`${text} ${signsOf(look).ellipsis}`, "quiet"))}`);
    this.#hasNotice = true;
  }

  endNotice(): void {
    if (!this.#hasNotice) return;
    process.stdout.write(clearLine);
    this.#hasNotice = false;
  }
}
