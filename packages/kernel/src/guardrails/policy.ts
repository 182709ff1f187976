/**
 * Guardrails (SACP §9.1): what is checked of each answer before the next agent or a person sees it. A violation makes the
 * answer a failure; a guardrail that fails or is late blocks as well.
 */
export interface GuardrailPolicy {
  /** In a failure, sensitive texts and those of its `data` are masked in the message; `data` stays for the orchestrator. */
  readonly redactFailures: boolean;
  readonly rules: readonly Guardrail[];
}

export interface Guardrail {
  readonly name: string;
  readonly check: GuardrailCheck;
  /** The parts of an answer that it reads. */
  readonly parts: readonly AnswerPart[];
  readonly scope: GuardrailScope;
}

/** Each list that is present must name the answer's own; without lists it applies to all answers. */
export interface GuardrailScope {
  readonly packs?: readonly string[] | undefined;
  /** Ids of stages, and of nodes of workflows. */
  readonly stages?: readonly string[] | undefined;
  readonly taskTypes?: readonly string[] | undefined;
  readonly templates?: readonly string[] | undefined;
}

export type GuardrailCheck =
  | { readonly kind: "secrets" }
  | { readonly kind: "personal_data"; readonly kinds: readonly PersonalKind[] }
  | { readonly kind: "banned_phrases"; readonly phrases: readonly string[] }
  /** Characters of each part; of objects, those of its JSON. */
  | { readonly kind: "size"; readonly maxChars: number }
  /** Receives the answer as JSON on standard input; exit code 0 passes it. */
  | { readonly kind: "command"; readonly run: readonly string[]; readonly timeoutMs: number }
  /** A function of the program that embeds the hub, by the name of the guardrail. */
  | { readonly kind: "function"; readonly timeoutMs: number };

/** Kinds of personal data, and the detectors of the redactor that find them. */
export const personalKinds = {
  email: "email",
  phone: "phone",
  card: "card-number",
  iban: "iban",
  ssn: "ssn",
} as const;

export type PersonalKind = keyof typeof personalKinds;

/** `summary` is the agent's own summary and reason of a failure; `context` what it leaves for later stages. */
export const answerParts = ["message", "thought", "data", "summary", "context"] as const;
export type AnswerPart = (typeof answerParts)[number];

export const guardrailLimits = {
  rules: 100,
  nameChars: 128,
  phrases: 200,
  phraseChars: 200,
  /** Names in each list of a scope. */
  scope: 1_000,
  /** Of a command or a function. */
  timeoutMs: 600_000,
  defaultTimeoutMs: 30_000,
  /** Characters of a reason. */
  reasonChars: 500,
} as const;

/** What an answer is about. */
export interface AnswerOrigin {
  readonly packId: string;
  readonly stageId: string;
  readonly taskType: string;
  readonly templateId: string;
}

/** The guardrails for an answer, in the order of the configuration. */
export function guardrailsFor(
  { rules }: GuardrailPolicy,
  { packId, stageId, taskType, templateId }: AnswerOrigin,
): readonly Guardrail[] {
  const names = (list: readonly string[] | undefined, name: string) => list?.includes(name) ?? true;
  return rules.filter(
    ({ scope }) =>
      names(scope.packs, packId) &&
      names(scope.stages, stageId) &&
      names(scope.taskTypes, taskType) &&
      names(scope.templates, templateId),
  );
}
