/**
 * Paths of fields in the notation of A §5.3: steps divided by "/" or ".", `*` for one step, `**` for any number. A path may
 * start anywhere. A step matches a whole name in any case style: `api_key`, `apiKey`, `API-KEY`. A message matches by its
 * field and by its type: `evidence_item.output` is the `output` of every EvidenceItem.
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
 * The progress of a walk along a path: one bit for each number of steps that may have matched. The lowest is always set,
 * because a path may start anywhere.
 */
export type Progress = number;

export const noProgress: Progress = 1;

/** Takes one step, which may have several names. */
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

/** Takes the step after `taken`; `**` also matches no step. */
function advanceFrom(steps: readonly string[], taken: number, names: readonly string[]): Progress {
  const wanted = steps[taken];
  if (wanted === undefined) return 0;
  if (wanted === "**") return (1 << taken) | advanceFrom(steps, taken + 1, names);
  return wanted === "*" || names.includes(wanted) ? 1 << (taken + 1) : 0;
}

export function isComplete({ steps }: FieldPath, progress: Progress): boolean {
  return (progress & (1 << steps.length)) !== 0;
}
