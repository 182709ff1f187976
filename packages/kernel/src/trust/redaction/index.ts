export type { Coverage } from "./coverage.ts";
export { isSecretName } from "./detectors/assignment/secret-name.ts";
export { RedactionFailure, type RedactionFailureCode } from "./failure.ts";
export { maxKnownSecretLength, minKnownSecretLength } from "./known/known-secrets.ts";
export { type LineMasker, type MaskedLine, maxLineLength, type UndecidedLine } from "./lines.ts";
export {
  type ConditionalRedaction,
  defaultRedactionPolicy,
  type RedactionPolicy,
  type RedactionRule,
  redactionRules,
} from "./policy.ts";
export type { RedactionProblem, RedactionProblemCode } from "./problem.ts";
export { redactEnvelope } from "./redact-envelope.ts";
export type { RedactedText } from "./redact-text.ts";
export {
  createRedactor,
  type RedactionLocation,
  type Redactor,
  type RedactorOptions,
  type RedactorResult,
} from "./redactor.ts";
export type { Detector, Finding } from "./scan/detector.ts";
export type { Redaction } from "./scan/matches.ts";
export type { Undecided } from "./scan/scanner.ts";
export type { Tail as DetectorTail } from "./scan/tail.ts";
export type { Window as DetectorWindow } from "./scan/window.ts";
export type { RedactionStream, StreamOutput } from "./stream.ts";
