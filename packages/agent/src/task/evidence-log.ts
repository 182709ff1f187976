import {
  type CheckName,
  type Contract,
  checkNames,
  checks,
  commandOf,
  type EvidenceItem,
  EvidenceItemSchema,
  EvidenceType,
  splitCommand,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { limits } from "../limits.ts";

const withheld = "[output withheld: the evidence exceeds its limit]";

/**
 * The commands of an attempt and their results (A §2.12). The last run of a command counts: an agent that fixes what a
 * test found has passed it.
 */
export class EvidenceLog {
  #items: EvidenceItem[] = [];

  add(item: MessageInitShape<typeof EvidenceItemSchema>): void {
    const added = create(EvidenceItemSchema, item);
    const kept = this.#items.filter(({ type, command }) => type !== added.type || command !== added.command);
    const repeats = added.command !== "" && kept.length < this.#items.length;
    this.#items = repeats ? [...kept, added] : [...this.#items, added];
    if (this.#items.length > limits.evidenceItems) this.#dropOne();
    this.#fit();
  }

  get items(): readonly EvidenceItem[] {
    return this.#items;
  }

  /** Drops an item that proves no check of the contract, if there is one. */
  #dropOne(): void {
    const plain = this.#items.findIndex(({ type }) => type === EvidenceType.UNSPECIFIED);
    this.#items.splice(Math.max(plain, 0), 1);
  }

  #fit(): void {
    const sizes = this.#items.map(({ output }) => Buffer.byteLength(output));
    let over = sizes.reduce((sum, size) => sum + size, 0) - limits.evidenceBytes;
    for (const [index, item] of this.#items.entries()) {
      if (over <= 0) return;
      over -= sizes[index] ?? 0;
      item.output = withheld;
    }
  }
}

export function evidenceTypeOf(check: CheckName | "manual" | "other"): EvidenceType {
  if (check === "manual") return EvidenceType.MANUAL;
  return check === "other" ? EvidenceType.UNSPECIFIED : checks[check].evidence;
}

/** The check of the contract that has this command. */
export function checkOf(contract: Contract, words: readonly string[]): CheckName | undefined {
  return checkNames.find((name) => {
    const stated = splitCommand(commandOf(contract.environment, name)) ?? [];
    return (
      stated.length > 0 &&
      stated.length === words.length &&
      stated.every((word, index) => word === words[index])
    );
  });
}
