import { defaultLimits, type Limits } from "@baton/contract";
import type { DescMessage, JsonValue, MessageShape } from "@bufbuild/protobuf";
import { coverageOf } from "./apply-rule.ts";
import { type Automata, type Coverage, checkDetectors, markersOf, prepareAutomata } from "./coverage.ts";
import { failClosed } from "./failure.ts";
import { compileFieldRules, type FieldRule, type PolicyPosition } from "./field-rules.ts";
import { redactJsonText } from "./json-text.ts";
import { readKnownSecrets } from "./known/known-secrets.ts";
import { createLineMasker, type LineMasker, type MaskedLine, type UndecidedLine } from "./lines.ts";
import { defaultRedactionPolicy, type RedactionPolicy } from "./policy.ts";
import type { RedactionProblem } from "./problem.ts";
import { beginWalk, minCoverageOf, redactString } from "./redact-content.ts";
import { redactMessage } from "./redact-message.ts";
import { copyPlain, meetsAnchor, type RedactedText, redactText } from "./redact-text.ts";
import { redactJson } from "./redact-value.ts";
import type { Automaton } from "./scan/automaton.ts";
import type { Detector } from "./scan/detector.ts";
import type { Undecided } from "./scan/scanner.ts";
import { createStream, type RedactionStream } from "./stream.ts";

export interface RedactorOptions {
  readonly policy?: RedactionPolicy;
  /** Whether personal data is masked in the fields with such a rule (A §5.3), or everywhere. */
  readonly personalData?: "named-fields" | "everywhere";
  /** Values to mask everywhere: the hub's own keys and the secrets of tasks. */
  readonly knownSecrets?: readonly string[];
  /** In addition to the built-in detectors. */
  readonly detectors?: readonly Detector[];
  /** Limits of size and depth. */
  readonly limits?: Limits;
}

type RedactorResult =
  | { readonly ok: true; readonly redactor: Redactor }
  | { readonly ok: false; readonly problems: readonly RedactionProblem[] };

/**
 * Redacts audit entries, traces, metrics and events (A §5.3). Every method throws a `RedactionFailure` instead of
 * returning content that it could not redact.
 */
export interface Redactor {
  redactText(text: string, coverage?: Coverage): RedactedText;
  /** `root` names the value, for paths such as "audit_entry.rationale". */
  redactValue(value: unknown, root?: string): { readonly value: JsonValue; readonly masked: boolean };
  redactMessage<Desc extends DescMessage>(
    schema: Desc,
    message: MessageShape<Desc>,
  ): { readonly message: MessageShape<Desc>; readonly masked: boolean };
  /** For callers that walk messages themselves. */
  locate(root: string): RedactionLocation;
  /** `from`: the undecided rest of another stream. */
  createStream(coverage?: Coverage, from?: Undecided): RedactionStream;
  /** For the output of terminals (O §3): secrets, tokens and keys. */
  createLineMasker(coverage?: Coverage, from?: UndecidedLine): LineMasker;
  maskLine(line: string, coverage?: Coverage): MaskedLine;
}

/** Redacts texts of one field. */
export interface TextRedaction {
  /** The redacted text. Throws a `RedactionFailure` when it cannot redact. */
  redact(text: string): string;
  /**
   * Writes the text to the bytes from `start` on if it is ASCII without anything to mask. If it returns false, the caller
   * drops the bytes and calls `redact`.
   */
  copyPlain(text: string, target: Uint8Array, start: number): boolean;
}

/** A field, as the policy sees it. */
export interface RedactionLocation extends TextRedaction {
  /** Always masked; values other than text are dropped. */
  readonly masked: boolean;
  enter(name: string, otherName?: string): RedactionLocation;
  /** The same field, for text that is JSON: redacts its members by name, and returns JSON. */
  readonly json: TextRedaction;
}

export function createRedactor(options: RedactorOptions = {}): RedactorResult {
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
  const redactions = new Map<FieldRule | undefined, TextRedaction>();
  const redactionOf = (rule: FieldRule | undefined): TextRedaction => {
    const known = redactions.get(rule);
    if (known) return known;
    const redactFully = (text: string) => redactString(beginWalk(parts), text, rule);
    const made = prepareRedaction(rule, automata, least, redactFully);
    redactions.set(rule, made);
    return made;
  };
  const locationAt = (at: PolicyPosition, inherited: FieldRule | undefined): RedactionLocation => {
    const rule = at.rule ?? inherited;
    const redactAsJson = (text: string) => redactJsonText(beginWalk(parts), text, at, 0, inherited);
    return {
      masked: rule?.type === "mask",
      enter: (name, otherName) => locationAt(rules.enter(at, name, otherName), rule),
      json: { copyPlain: () => false, redact: (text) => failClosed(() => redactAsJson(text)) },
      ...redactionOf(rule),
    };
  };
  return {
    ok: true,
    redactor: {
      redactText: (text, coverage = everything) => failClosed(() => redact(text, coverage)),
      redactValue: (value, root = "") =>
        failClosed(() => {
          const walk = beginWalk(parts);
          const position = rules.enter(rules.root, root);
          return { value: redactJson(walk, value, position, 0), masked: walk.masked };
        }),
      redactMessage: (schema, message) =>
        failClosed(() => {
          const walk = beginWalk(parts);
          const position = rules.enter(rules.root, schema.name);
          return { message: redactMessage(walk, schema, message, position), masked: walk.masked };
        }),
      locate: (root) => locationAt(rules.enter(rules.root, root), undefined),
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

/** The fast path: most texts are short and have nothing to mask. */
function prepareRedaction(
  rule: FieldRule | undefined,
  automata: Automata,
  least: Coverage,
  redactFully: (text: string) => string,
): TextRedaction {
  const redact = (text: string) => failClosed(() => redactFully(text));
  if (rule?.type === "mask" || rule?.type === "mask-unless-scope") return { copyPlain: () => false, redact };
  const conditional = rule?.type === "rule" ? rule : undefined;
  const { maxLength = Number.POSITIVE_INFINITY } = conditional ?? {};
  let known: Automaton | undefined;
  const automaton = () => {
    known = automata(coverageOf(conditional?.rule, minCoverageOf(rule, least)));
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
