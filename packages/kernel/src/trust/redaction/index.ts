export type { Coverage } from "./coverage.ts";
export { isSecretName } from "./detectors/assignment/secret-name.ts";
export { RedactionFailure, type RedactionFailureCode } from "./failure.ts";
export { type LineMasker, type MaskedLine, maxLineLength, type UndecidedLine } from "./lines.ts";
export type { RedactionPolicy } from "./policy.ts";
export { redactEnvelope } from "./redact-envelope.ts";
export {
  createRedactor,
  type RedactionLocation,
  type Redactor,
  type RedactorOptions,
  type TextRedaction,
} from "./redactor.ts";
export type { Detector, Finding } from "./scan/detector.ts";
export type { Redaction } from "./scan/matches.ts";
export type { Undecided } from "./scan/scanner.ts";
export type { Tail as DetectorTail } from "./scan/tail.ts";
export type { RedactionStream } from "./stream.ts";
