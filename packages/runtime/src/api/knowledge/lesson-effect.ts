import {
  Approval,
  type Lesson,
  type LessonEffect,
  LessonEffectSchema,
  type RatedOutcomes,
  RatedOutcomesSchema,
  type Signal,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";

/** How outcomes with and without lessons were rated since the lesson exists, apart from the one that it was learnt from. */
export function effectOf(lesson: Lesson, signals: readonly Signal[]): LessonEffect {
  const sinceMs = lesson.at ? timestampMs(lesson.at) : 0;
  const later = signals.filter(
    ({ pipelineId, at }) =>
      pipelineId !== lesson.sourcePipelineId && at !== undefined && timestampMs(at) >= sinceMs,
  );
  return create(LessonEffectSchema, {
    lesson,
    withLessons: ratedOf(later.filter((signal) => signal.withLessons)),
    withoutLessons: ratedOf(later.filter((signal) => !signal.withLessons)),
  });
}

function ratedOf(signals: readonly Signal[]): RatedOutcomes {
  const rated = signals.filter(({ rating }) => rating > 0);
  const sum = rated.reduce((total, { rating }) => total + rating, 0);
  return create(RatedOutcomesSchema, {
    count: rated.length,
    meanRating: rated.length === 0 ? 0 : sum / rated.length,
    approved: signals.filter(({ approval }) => approval === Approval.APPROVED).length,
    rejected: signals.filter(({ approval }) => approval === Approval.REJECTED).length,
  });
}
