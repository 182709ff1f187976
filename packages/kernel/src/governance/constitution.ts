import type { JsonObject } from "@bufbuild/protobuf";
import type { PersonalKind } from "../guardrails/policy.ts";

/** What an organisation asks of governed tasks and their answers (SAP V2 §4.1). */
export interface Constitution {
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly digest: string;
  readonly version: string;
  readonly description: string;
  /** Whether a person is asked about principles and constraints of a task that this constitution does not know. */
  readonly asksAboutUnknown: boolean;
  /** Who may issue which capability; undefined lets everyone. */
  readonly issuers: readonly IssuerGrant[] | undefined;
  /** The least level of some tasks. */
  readonly levels: readonly LeastLevel[];
  readonly principles: readonly Principle[];
  readonly constraints: readonly Constraint[];
  readonly consultation: ConsultationRules;
}

/** Names end with `*` to match what begins alike. A list that is absent matches everything. */
export interface TaskScope {
  readonly territories?: readonly string[] | undefined;
  readonly capabilities?: readonly string[] | undefined;
}

export interface IssuerGrant {
  readonly capabilities: readonly string[];
  readonly agentIds: readonly string[] | undefined;
  readonly kinds: readonly IssuerKindName[] | undefined;
}
export type IssuerKindName = "user" | "system" | "agent";

export const levelNames = ["instant", "consulted", "deliberated"] as const;
export type LevelName = (typeof levelNames)[number];

export interface LeastLevel extends TaskScope {
  readonly level: LevelName;
}

export const severities = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

interface Ruled extends TaskScope {
  readonly description: string;
  /** Applies within its scope, whether the task names it or not. */
  readonly always: boolean;
  readonly severity: Severity;
  readonly checks: readonly ConstitutionCheck[];
}

export interface Principle extends Ruled {
  readonly key: string;
  /** The pressure where the task states none. */
  readonly pressure: number;
  /** From which pressure on a level is needed; undefined: never. */
  readonly thresholds: {
    readonly consulted?: number | undefined;
    readonly deliberated?: number | undefined;
  };
}

export interface Constraint extends Ruled {
  readonly name: string;
  /** RE2 patterns that recognise the constraint in the words of a task. */
  readonly patterns: readonly string[];
}

export interface ConstitutionCheck {
  readonly name: string;
  readonly on: "task" | "output" | "both";
  readonly rule: CheckRule;
  /** The note when it fails; empty takes that of the check. */
  readonly message: string;
}

export type CheckRule =
  /** CEL over `task`, `output` and `meta`. */
  | { readonly kind: "cel"; readonly source: string }
  | { readonly kind: "schema"; readonly schema: JsonObject }
  | { readonly kind: "secrets" }
  | { readonly kind: "personal_data"; readonly kinds: readonly PersonalKind[] }
  | { readonly kind: "banned_phrases"; readonly phrases: readonly string[] }
  /** Citations of the answer; each begins with one of the sources. */
  | { readonly kind: "citations"; readonly least: number; readonly sources: readonly string[] }
  | { readonly kind: "command"; readonly run: readonly string[]; readonly timeoutMs: number }
  /** Asks the consulted agents. */
  | { readonly kind: "consultation" };

export interface ConsultationRules {
  /** The task type by which an agent is consulted. */
  readonly capability: string;
  readonly timeoutMs: number;
  /** The packs of a quorum, one vote each. */
  readonly packs: readonly string[];
  readonly quorumRule: "unanimous" | "majority";
}

export const governanceLimits = {
  principles: 100,
  constraints: 100,
  /** Of all principles and constraints together. */
  checks: 500,
  quorum: 9,
  patterns: 20,
  issuers: 1_000,
  levels: 100,
  /** Names in each list of a scope. */
  scope: 1_000,
  nameChars: 256,
  /** Characters of a principle, a constraint or a reference in a task. */
  textChars: 4_096,
  /** Characters of a note. */
  noteChars: 500,
  /** Characters of what consulted agents get of a task or an answer, as JSON. */
  consultedChars: 65_536,
  timeoutMs: 600_000,
  defaultTimeoutMs: 30_000,
  consultationTimeoutMs: 300_000,
  citations: 100,
} as const;

/** How much the risk tolerance of a task is added to each threshold (SAP V2 §4.1). */
export const thresholdShift = { low: -15, medium: 0, high: 15 } as const;

/** In force on a hub without a constitution: a task's own level still counts. */
export const noConstitution: Constitution = {
  digest: "",
  version: "",
  description: "",
  asksAboutUnknown: false,
  issuers: undefined,
  levels: [],
  principles: [],
  constraints: [],
  consultation: {
    capability: "consult.align",
    timeoutMs: governanceLimits.consultationTimeoutMs,
    packs: [],
    quorumRule: "unanimous",
  },
};
