/**
 * Paths of fields, as A §5.3 writes them: steps with "/" or "." between, `*` for any one step, `**` for any number. A path
 * may begin anywhere. A step matches a whole name, however it is written: `api_key`, `apiKey`, `API-KEY`. A message goes
 * by the name of its field and by that of its type: `evidence_item.output` is the `output` of every EvidenceItem.
 */
export interface FieldPath {
  readonly steps: readonly string[];
}

/** Up to 24 steps, of which the last is not `**`. */
export const fieldPathPattern =
  /^(?:(?:\*\*|\*|[A-Za-z_][A-Za-z0-9_-]*)[./]){0,23}(?:\*|[A-Za-z_][A-Za-z0-9_-]*)$/;

export function parseFieldPath(text: string): FieldPath | undefined {
  return fieldPathPattern.test(text) ? { steps: text.split(/[./]/).map(snakeCase) } : undefined;
}

/** `apiKey`, `APIKey`, `api-key` and `API_KEY` are all `api_key`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}

/**
 * How far a walk from the root has come along a path: one bit for each number of steps that may have been taken. The
 * lowest is always set, since a path may begin anywhere.
 */
export type Progress = number;

export const noProgress: Progress = 1;

/** Goes down one step, which may have several names. */
export function advance({ steps }: FieldPath, progress: Progress, names: readonly string[]): Progress {
  let next = noProgress;
  for (let taken = 0; taken < steps.length; taken++) {
    if ((progress & (1 << taken)) === 0) continue;
    const wanted = steps[taken] as string;
    if (wanted === "**") {
      next |= 1 << taken;
      next |= advanceFrom(steps, taken + 1, names);
    } else {
      next |= advanceFrom(steps, taken, names);
    }
  }
  return next;
}

/** Takes the step after `taken`; where that is `**`, it may also stand for no step at all. */
function advanceFrom(steps: readonly string[], taken: number, names: readonly string[]): Progress {
  const wanted = steps[taken];
  if (wanted === undefined) return 0;
  if (wanted === "**") return (1 << taken) | advanceFrom(steps, taken + 1, names);
  return wanted === "*" || names.includes(wanted) ? 1 << (taken + 1) : 0;
}

export function isComplete({ steps }: FieldPath, progress: Progress): boolean {
  return (progress & (1 << steps.length)) !== 0;
}
