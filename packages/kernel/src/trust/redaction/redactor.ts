import { defaultLimits, type Limits } from "@baton/contract";
import type { DescMessage, JsonValue, MessageShape } from "@bufbuild/protobuf";
import { coverageOf } from "./apply-rule.ts";
import { type Automata, type Coverage, checkDetectors, markersOf, prepareAutomata } from "./coverage.ts";
import { failClosed } from "./failure.ts";
import { compileFieldRules, type FieldRule, type Place } from "./field-rules.ts";
import { readKnownSecrets } from "./known/known-secrets.ts";
import { createLineMasker, type LineMasker, type MaskedLine, type UndecidedLine } from "./lines.ts";
import { defaultRedactionPolicy, type RedactionPolicy } from "./policy.ts";
import type { RedactionProblem } from "./problem.ts";
import { beginWalk, leastOf, redactString } from "./redact-content.ts";
import { redactMessage } from "./redact-message.ts";
import { copyPlain, meetsAnchor, type RedactedText, redactText } from "./redact-text.ts";
import { redactJson } from "./redact-value.ts";
import type { Automaton } from "./scan/automaton.ts";
import type { Detector } from "./scan/detector.ts";
import type { Undecided } from "./scan/scanner.ts";
import { createStream, type RedactionStream } from "./stream.ts";

export interface RedactorOptions {
  readonly policy?: RedactionPolicy;
  /** Where personal data is masked: in the fields whose rule says so (A §5.3), or wherever it is found. */
  readonly personalData?: "named-fields" | "everywhere";
  /** Values that must never get out: the hub's own keys, what a task was given. */
  readonly knownSecrets?: readonly string[];
  /** More kinds than the built-in ones. */
  readonly detectors?: readonly Detector[];
  /** How large and deep a value or message may be. */
  readonly limits?: Limits;
}

export type RedactorMaking =
  | { readonly ok: true; readonly redactor: Redactor }
  | { readonly ok: false; readonly problems: readonly RedactionProblem[] };

/**
 * Takes out what must not appear in audit entries, traces, metrics and events (A §5.3). Every method throws a
 * `RedactionFailure`, and gives nothing, when it cannot do so.
 */
export interface Redactor {
  redactText(text: string, coverage?: Coverage): RedactedText;
  /** `root` names what the value is, for paths such as "audit_entry.rationale". */
  redactValue(value: unknown, root?: string): { readonly value: JsonValue; readonly masked: boolean };
  redactMessage<Desc extends DescMessage>(
    schema: Desc,
    message: MessageShape<Desc>,
  ): { readonly message: MessageShape<Desc>; readonly masked: boolean };
  /** For those who walk through messages of one type themselves, again and again: what is to be done at which field. */
  place(root: string): RedactionPlace;
  /** `from`: what another stream had not decided. */
  createStream(coverage?: Coverage, from?: Undecided): RedactionStream;
  /** For the output of terminals (O §3): secrets, tokens and keys. */
  createLineMasker(coverage?: Coverage, from?: UndecidedLine): LineMasker;
  maskLine(line: string, coverage?: Coverage): MaskedLine;
}

/** How texts leave. */
export interface TextWay {
  /** The text as it may leave. Throws a `RedactionFailure`, and gives nothing, when it cannot tell. */
  redact(text: string): string;
  /**
   * Writes the text to the bytes from `start` on, if it is ASCII and may leave as it is. If not, `redact` tells what may
   * leave, and what was written has to be dropped.
   */
  copyPlain(text: string, target: Uint8Array, start: number): boolean;
}

/** A field, as the policy sees it. */
export interface RedactionPlace extends TextWay {
  /** Whatever is there is masked: what is no text is left out. */
  readonly masked: boolean;
  enter(name: string, otherName?: string): RedactionPlace;
}

export function createRedactor(options: RedactorOptions = {}): RedactorMaking {
  const {
    policy = defaultRedactionPolicy,
    personalData = "named-fields",
    knownSecrets = [],
    detectors = [],
    limits = defaultLimits,
  } = options;
  const rules = compileFieldRules(policy);
  const known = readKnownSecrets(knownSecrets, markersOf(detectors));
  const problems = [...("root" in rules ? [] : rules), ...known.problems, ...checkDetectors(detectors)];
  if (!("root" in rules) || problems.length > 0) return { ok: false, problems };

  const automata = prepareAutomata(known.forms, detectors);
  const everything: Coverage = "secrets-and-personal";
  const least: Coverage = personalData === "everywhere" ? everything : "secrets";
  const redact = (text: string, coverage: Coverage) => redactText(automata(coverage), text);
  const isHarmless = (text: string, coverage: Coverage) => !meetsAnchor(automata(coverage), text);
  const parts = { rules, least, redactText: redact, isHarmless, limits };
  const ways = new Map<FieldRule | undefined, TextWay>();
  const wayOf = (rule: FieldRule | undefined): TextWay => {
    const known = ways.get(rule);
    if (known) return known;
    const redactFully = (text: string) => redactString(beginWalk(parts), text, rule);
    const made = prepareWay(rule, automata, least, redactFully);
    ways.set(rule, made);
    return made;
  };
  const placeAt = (at: Place, inherited: FieldRule | undefined): RedactionPlace => {
    const rule = at.rule ?? inherited;
    return {
      masked: rule?.type === "mask",
      enter: (name, otherName) => placeAt(rules.enter(at, name, otherName), rule),
      ...wayOf(rule),
    };
  };
  return {
    ok: true,
    redactor: {
      redactText: (text, coverage = everything) => failClosed(() => redact(text, coverage)),
      redactValue: (value, root = "") =>
        failClosed(() => {
          const walk = beginWalk(parts);
          const place = rules.enter(rules.root, root);
          return { value: redactJson(walk, value, place, 0), masked: walk.masked };
        }),
      redactMessage: (schema, message) =>
        failClosed(() => {
          const walk = beginWalk(parts);
          const place = rules.enter(rules.root, schema.name);
          return { message: redactMessage(walk, schema, message, place), masked: walk.masked };
        }),
      place: (root) => placeAt(rules.enter(rules.root, root), undefined),
      createStream: (coverage = everything, from) => failClosed(() => createStream(automata(coverage), from)),
      createLineMasker: (coverage = least, from) =>
        failClosed(() => createLineMasker(automata(coverage), from)),
      maskLine: (line, coverage = least) =>
        failClosed(() => {
          const { text, redactions } = redact(line, coverage);
          return { line: text, masked: redactions.length > 0 };
        }),
    },
  };
}

/** Most texts are short and hold nothing of the kind: a quick look tells, and then there is nothing that could fail. */
function prepareWay(
  rule: FieldRule | undefined,
  automata: Automata,
  least: Coverage,
  redactFully: (text: string) => string,
): TextWay {
  const redact = (text: string) => failClosed(() => redactFully(text));
  if (rule?.type === "mask" || rule?.type === "mask-unless-scope") return { copyPlain: () => false, redact };
  const conditional = rule?.type === "rule" ? rule : undefined;
  const { maxLength = Number.POSITIVE_INFINITY } = conditional ?? {};
  let known: Automaton | undefined;
  const automaton = () => {
    known = automata(coverageOf(conditional?.rule, leastOf(rule, least)));
    return known;
  };
  return {
    copyPlain: (text, target, start) =>
      text.length <= maxLength && copyPlain(known ?? automaton(), text, target, start),
    redact: (text) => {
      const mayStay = text.length <= maxLength && !meetsAnchor(known ?? automaton(), text);
      return mayStay ? text : redact(text);
    },
  };
}
