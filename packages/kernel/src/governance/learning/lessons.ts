import { type GivenLesson, type Lesson, LessonKind } from "@baton/contract";
import { getTextEncoding } from "@bufbuild/protobuf/wire";

/** Limits of what a task is given from the library (SAP V2 §7). */
export const lessonLimits = {
  /** Lessons of one task. */
  count: 3,
  /** Bytes of their texts together, in UTF-8. */
  bytes: 8 * 1024,
  /** One task in so many goes without, so that outcomes can be compared. */
  withoutEvery: 5,
} as const;

/** What tasks of a key learn from; absent for tasks that are not governed. */
export interface LearningIdentity {
  /** SHA-256 of tenant, capability, territory and fingerprint, in hexadecimal digits. */
  readonly key: string;
  readonly fingerprint: string;
}

/** The newest lessons that fit, for a task that does not go without them. */
export function lessonsFor(pipelineId: string, lessons: readonly Lesson[]): GivenLesson[] {
  if (goesWithout(pipelineId)) return [];
  const given: GivenLesson[] = [];
  let bytes = 0;
  for (const { lessonId, kind, version, text } of lessons) {
    const size = getTextEncoding().encodeUtf8(text).length;
    if (text === "" || given.length >= lessonLimits.count || bytes + size > lessonLimits.bytes) continue;
    bytes += size;
    const name = kind === LessonKind.PLAYBOOK ? "playbook" : "punch-card";
    given.push({ $typeName: "vasini.agent.v1.GivenLesson", lessonId, kind: name, version, text });
  }
  return given;
}

/** The same for every attempt at a task: its id decides. */
export function goesWithout(pipelineId: string): boolean {
  let sum = 0;
  for (let at = 0; at < pipelineId.length; at++) sum = (sum * 31 + pipelineId.charCodeAt(at)) >>> 0;
  return sum % lessonLimits.withoutEvery === 0;
}

/** The newest text of each lesson, the newest lesson first. */
export function newestLessons(rows: readonly Lesson[]): readonly Lesson[] {
  const found = new Map<string, Lesson>();
  for (const lesson of rows) if (!found.has(lesson.lessonId)) found.set(lesson.lessonId, lesson);
  return [...found.values()];
}
