/** What every store has to do, whatever it keeps things in. A store's own test calls `storeSuite` with a way to open it. */
import { describe } from "vitest";
import { checkpointCases } from "./checkpoint-cases.ts";
import { closingCases } from "./closing-cases.ts";
import { commitCases } from "./commit-cases.ts";
import { queryCases } from "./query-cases.ts";
import { randomCases } from "./random-cases.ts";
import { readingCases } from "./reading-cases.ts";
import { turnCases } from "./turn-cases.ts";
import type { StoreUnderTest } from "./under-test.ts";

export type { OpenedStore, StoreUnderTest } from "./under-test.ts";

export function storeSuite(subject: StoreUnderTest): void {
  describe(`the store ${subject.name}`, () => {
    commitCases(subject);
    readingCases(subject);
    queryCases(subject);
    checkpointCases(subject);
    turnCases(subject);
    randomCases(subject);
    closingCases(subject);
  });
}
