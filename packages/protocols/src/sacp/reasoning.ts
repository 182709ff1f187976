/** Blocks in which models reason before they answer. What stands in them is a draft and no answer. */

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly isOpening: boolean;
}

const names = "(?:seed:)?think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|analysis|inner_monologue";

/** As tags, in square brackets, in the triangles of one family of models, and as channels of another. */
const marks = new RegExp(
  [
    `(?<open><(?:${names})>|\\[THINK\\]|◁think▷|<\\|(?:begin_of_thought|START_THINKING)\\|>|<\\|channel\\|>\\s?(?:analysis|commentary)[^<>]{0,64}<\\|message\\|>)`,
    `(?<close></(?:${names})>|\\[/THINK\\]|◁/think▷|<\\|(?:end_of_thought|END_THINKING|end)\\|>|<\\|channel\\|>\\s?final(?:\\s?<\\|constrain\\|>\\s?\\w{0,16})?<\\|message\\|>)`,
  ].join("|"),
  "gi",
);

/** Marks of a text in their order. Asking for a later position than before costs nothing for what was passed. */
export class ReasoningMarks {
  readonly #text: string;
  #next: Mark | undefined;
  #from = -1;
  looks = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The first mark at or behind a position. Positions only grow. */
  nextFrom(from: number): Mark | undefined {
    if (this.#from !== -1 && (this.#next === undefined || this.#next.start >= from)) return this.#next;
    marks.lastIndex = from;
    const found = marks.exec(this.#text);
    this.looks += (found?.index ?? this.#text.length) - from;
    this.#from = from;
    this.#next = found
      ? {
          start: found.index,
          end: found.index + found[0].length,
          isOpening: found.groups?.open !== undefined,
        }
      : undefined;
    return this.#next;
  }
}

/** Whether nothing but marks, fences, and white space stands behind a position. */
export function isAtEnd(text: string, position: number): boolean {
  return text.slice(position).replaceAll(marks, "").replaceAll(/[`\s]/g, "") === "";
}
