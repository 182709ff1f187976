import { personalDetectors, secretDetectors } from "./detectors/all-detectors.ts";
import { detectKnown, knownSecretKind } from "./known/detect-known.ts";
import type { KnownForm } from "./known/known-secrets.ts";
import { cutKind, fieldKind, lateKind, lineKind, marker } from "./marker.ts";
import { type RedactionProblem, redactionProblem } from "./problem.ts";
import { type Automaton, buildAutomaton } from "./scan/automaton.ts";
import type { Detector } from "./scan/detector.ts";

/**
 * What is detected: known values always, personal data only in some fields (A §5.3), because commits name authors and logs
 * name addresses.
 */
export type Coverage = "secrets" | "secrets-and-personal";

export type Automata = (coverage: Coverage) => Automaton;

/** Builds each automaton at its first use. */
export function prepareAutomata(forms: readonly KnownForm[], added: readonly Detector[]): Automata {
  const secrets = [...detectKnown(forms), ...added, ...secretDetectors];
  const built = new Map<Coverage, Automaton>();
  return (coverage) => {
    const known = built.get(coverage);
    if (known) return known;
    const automaton = buildAutomaton(coverage === "secrets" ? secrets : [...secrets, ...personalDetectors]);
    built.set(coverage, automaton);
    return automaton;
  };
}

/** All markers: a known value must not be part of one. */
export function markersOf(added: readonly Detector[]): readonly string[] {
  const detectors = [...added, ...secretDetectors, ...personalDetectors];
  const kinds = detectors.map(({ kind }) => kind);
  return [knownSecretKind, fieldKind, lineKind, cutKind, lateKind, ...kinds].map(marker);
}

export function checkDetectors(added: readonly Detector[]): readonly RedactionProblem[] {
  return added.flatMap(({ kind, anchors }, index) => {
    const isNamed = /^[a-z0-9-]{1,40}$/.test(kind);
    const isAnchored = anchors.length > 0 && anchors.every(({ length }) => length > 0 && length <= 64);
    if (isNamed && isAnchored) return [];
    const problem = isNamed
      ? "has no anchors, or one of a length that is not accepted"
      : "has a kind that is not accepted";
    return [redactionProblem("BATON-REDACTION-006", `detectors[${index}]`, problem)];
  });
}
