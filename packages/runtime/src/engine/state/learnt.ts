import { decodeBinary, type Heuristics, HeuristicsSchema, type Lesson, LessonSchema } from "@baton/contract";
import { newestLessons } from "@baton/kernel";
import { LRUCache } from "lru-cache";
import type { NewKnowledge } from "../../ports/store.ts";

/** Keys whose lessons are in memory. */
const maxKeys = 10_000;

/** What later tasks learn from, as far as it was asked for lately (SAP-06). The store has everything. */
export class Learnt {
  readonly #lessons = new LRUCache<string, readonly Lesson[]>({ max: maxKeys });
  /** By tenant. */
  readonly #heuristics = new Map<string, Heuristics | undefined>();

  knowsLessons(key: string): boolean {
    return this.#lessons.has(key);
  }

  lessons(key: string): readonly Lesson[] {
    return this.#lessons.get(key) ?? [];
  }

  /** The rows of a key, the newest first. */
  loadLessons(key: string, rows: readonly Pick<NewKnowledge, "content">[]): void {
    this.#lessons.set(key, newestLessons(rows.map(({ content }) => decodeBinary(LessonSchema, content))));
  }

  knowsHeuristics(tenantId: string): boolean {
    return this.#heuristics.has(tenantId);
  }

  heuristics(tenantId: string): Heuristics | undefined {
    return this.#heuristics.get(tenantId);
  }

  loadHeuristics(tenantId: string, row: Pick<NewKnowledge, "content"> | undefined): void {
    this.#heuristics.set(tenantId, row && decodeBinary(HeuristicsSchema, row.content));
  }

  /** Knowledge that was decided. */
  add({ tenantId, topic, key, content }: NewKnowledge): void {
    if (topic === "heuristics") this.loadHeuristics(tenantId, { content });
    if (topic !== "library" || !this.#lessons.has(key)) return;
    this.#lessons.set(key, newestLessons([decodeBinary(LessonSchema, content), ...this.lessons(key)]));
  }
}
