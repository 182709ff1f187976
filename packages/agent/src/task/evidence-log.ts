import { type EvidenceItem, EvidenceItemSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { limits } from "../limits.ts";

const leftOut = "[output left out: there was more evidence than fits]";

/**
 * What was run, and what came of it (A §2.12). The last run of a command is the one that counts: an agent that mends
 * what a test found has passed it.
 */
export class EvidenceLog {
  #items: EvidenceItem[] = [];

  add(given: MessageInitShape<typeof EvidenceItemSchema>): void {
    const item = create(EvidenceItemSchema, given);
    const kept = this.#items.filter(({ type, command }) => type !== item.type || command !== item.command);
    const repeats = item.command !== "" && kept.length < this.#items.length;
    this.#items = repeats ? [...kept, item] : [...this.#items, item];
    if (this.#items.length > limits.evidenceItems) this.#dropOne();
    this.#fit();
  }

  get items(): readonly EvidenceItem[] {
    return this.#items;
  }

  /** One that proves none of the contract's checks goes first. */
  #dropOne(): void {
    const plain = this.#items.findIndex(({ type }) => type === 0);
    this.#items.splice(Math.max(plain, 0), 1);
  }

  #fit(): void {
    const sizes = this.#items.map(({ output }) => Buffer.byteLength(output));
    let over = sizes.reduce((sum, size) => sum + size, 0) - limits.evidenceBytes;
    for (const [index, item] of this.#items.entries()) {
      if (over <= 0) return;
      over -= sizes[index] ?? 0;
      item.output = leftOut;
    }
  }
}
