/** The conformance suite of the store's port, one part for each of its interfaces. The test of a store calls `storeSuite`. */
import { describe } from "vitest";
import { auditCases } from "./audit-cases.ts";
import { closingCases } from "./closing-cases.ts";
import { commitCases } from "./commit-cases.ts";
import { detailCases } from "./detail-cases.ts";
import { pruningCases } from "./pruning-cases.ts";
import { queryCases } from "./query-cases.ts";
import { randomCases } from "./random-cases.ts";
import { recoveryCases } from "./recovery-cases.ts";
import { sequenceCases } from "./sequence-cases.ts";
import { spendCases } from "./spend-cases.ts";
import type { StoreUnderTest } from "./under-test.ts";

export type { OpenedStore, StoreUnderTest } from "./under-test.ts";

export function storeSuite(subject: StoreUnderTest): void {
  describe(`the store ${subject.name}`, () => {
    journalSuite(subject);
    querySuite(subject);
    auditCases(subject);
    maintenanceSuite(subject);
  });
}

/** `JournalStore`: commits, and what recovery reads. */
export function journalSuite(subject: StoreUnderTest): void {
  describe("as JournalStore", () => {
    commitCases(subject);
    sequenceCases(subject);
    recoveryCases(subject);
    randomCases(subject);
  });
}

/** `QueryStore`: lists and details. */
function querySuite(subject: StoreUnderTest): void {
  describe("as QueryStore", () => {
    queryCases(subject);
    detailCases(subject);
    spendCases(subject);
  });
}

/** `MaintenanceStore`: retention and closing. Backup and check depend on the store, and have tests there. */
export function maintenanceSuite(subject: StoreUnderTest): void {
  describe("as MaintenanceStore", () => {
    pruningCases(subject);
    closingCases(subject);
  });
}
