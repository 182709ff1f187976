import type { SQLOutputValue } from "node:sqlite";
import { integer, text } from "../columns.ts";
import { hasItsSum, summed } from "../journal-sum.ts";
import type { Opener } from "../sealing/opener.ts";
import { AuditJudge } from "./audit-judge.ts";
import { areWhole } from "./judge-contents.ts";

export type Row = Record<string, SQLOutputValue>;

/**
 * Says what is wrong inside of rows of a table, which are given by their numbers with all columns. Without a key, what is
 * sealed is held against its sums alone.
 */
export function judgeOf(table: string, opener: Opener | undefined): (row: Row) => string[] {
  if (table === "journal") return (row) => judgeJournal(row, opener);
  if (table !== "audit") return () => [];
  const audit = new AuditJudge();
  return (row) => audit.judge(row);
}

function judgeJournal(row: Row, opener: Opener | undefined): string[] {
  const directory = text(row.directory);
  if (!hasItsSum(row.sum, directory, summed(row))) {
    return [`what journal row ${integer(row.n)} holds is not what its sum says`];
  }
  if (opener === undefined || areWhole(() => ({ directory, bytes: opener.journal(row).contents }))) return [];
  return [`a content of journal row ${integer(row.n)} is not what its digest says`];
}
