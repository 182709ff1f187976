import type { RedactionLocation, Redactor } from "@baton/kernel";
import { type Egress, EgressFilter } from "@baton/runtime";
import type { JsonValue } from "@bufbuild/protobuf";

const unchanged = { redact: (text: string) => text, copyPlain: () => false };
const everywhere: RedactionLocation = {
  masked: false,
  enter: () => everywhere,
  json: unchanged,
  ...unchanged,
};

/** Lets everything pass. */
const open: Redactor = {
  redactText: (text) => ({ text, redactions: [] }),
  redactValue: (value) => ({ value: value as JsonValue, masked: false }),
  redactMessage: (_, message) => ({ message, masked: false }),
  locate: () => everywhere,
  createStream: () => ({
    push: (text) => ({ text, masked: false }),
    end: () => ({ text: "", masked: false }),
    cut: () => ({ text: "", masked: false }),
    heldBack: 0,
    undecided: undefined,
  }),
  createLineMasker: () => ({
    push: (text) =>
      text
        .split("\n")
        .slice(0, -1)
        .map((line) => ({ line, masked: false })),
    end: () => [],
    cut: () => [],
    undecided: undefined,
  }),
  maskLine: (line) => ({ line, masked: false }),
};

/** The filter with one of its entrances open, to show that something leaves there when it is. */
export class LeakyFilter extends EgressFilter {
  readonly #leak: Egress;

  constructor(leak: Egress) {
    super();
    this.#leak = leak;
  }

  override at(way: Egress): Redactor {
    return way === this.#leak ? open : super.at(way);
  }
}
