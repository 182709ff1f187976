import { damage } from "../errors.ts";
import type { Seal } from "./seal.ts";

/** About 10 MB, and 20 at the most. The ids of a batch mostly came before. */
const mostKnown = 20_000;
/** Characters of an id and of what it is sealed to. Longer ones are nobody's habit, and are not remembered. */
const longestKnown = 1_000;

/** Stands for the pipeline of a row in the ids of its timers; then the stages of all its like have the same ids. */
const own = "\u0000";

/** Seals and opens the ids by which rows are found, and remembers those that came last. */
export class KnownIds {
  readonly #seal: Seal;
  readonly #sealed = new Map<string, string>();
  readonly #opened = new Map<string, string>();

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  sealed(id: string): string {
    const known = this.#sealed.get(id);
    return known ?? keep(this.#sealed, id, this.#seal.sealId(id));
  }

  opened(text: string): string {
    const known = this.#opened.get(text);
    if (known !== undefined) return known;
    const id = this.#seal.openId(text);
    if (id === undefined) throw damage("a row", "an id in it is not what was sealed");
    return keep(this.#opened, text, id);
  }

  /** The id of a timer, which may name its pipeline. */
  sealedOf(pipelineId: string, id: string): string {
    return this.sealed(id.includes(own) ? own + own + id : id.replace(pipelineId, own));
  }

  openedOf(pipelineId: string, text: string): string {
    const id = this.opened(text);
    return id.startsWith(own + own) ? id.slice(2) : id.replace(own, () => pipelineId);
  }
}

function keep(known: Map<string, string>, key: string, value: string): string {
  if (key.length + value.length > longestKnown) return value;
  if (known.size >= mostKnown) known.clear();
  known.set(key, value);
  return value;
}
