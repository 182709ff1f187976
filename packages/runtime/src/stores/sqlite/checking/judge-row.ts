import type { SQLOutputValue } from "node:sqlite";
import { bytes, integer, text } from "../columns.ts";
import { hasItsSum } from "../journal-sum.ts";
import { AuditJudge } from "./audit-judge.ts";
import { areWhole } from "./judge-contents.ts";

export type Row = Record<string, SQLOutputValue>;

/** Says what is wrong inside of rows of a table, which are given by their numbers with all columns. */
export function judgeOf(table: string): (row: Row) => string[] {
  if (table === "journal") return judgeJournal;
  if (table !== "audit") return () => [];
  const audit = new AuditJudge();
  return (row) => audit.judge(row);
}

function judgeJournal(row: Row): string[] {
  const [directory, records] = [text(row.directory), text(row.text)];
  if (!hasItsSum(row.sum, directory, records)) {
    return [`the text of journal row ${integer(row.n)} is not what its sum says`];
  }
  if (areWhole({ directory, bytes: bytes(row.contents) })) return [];
  return [`a content of journal row ${integer(row.n)} is not what its digest says`];
}
