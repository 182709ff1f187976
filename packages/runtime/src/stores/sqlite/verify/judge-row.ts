import type { SQLOutputValue } from "node:sqlite";
import type { Decryptor } from "../crypto/decryptor.ts";
import { bytes, integer, text } from "../format/columns.ts";
import { hasItsSum, summed, sumOfKnowledge, sumOfStep } from "../format/journal-sum.ts";
import { areWhole } from "../format/judge-contents.ts";
import { AuditJudge } from "./audit-judge.ts";

export type Row = Record<string, SQLOutputValue>;

/**
 * Finds the faults of the rows of a table, which are given in order with all columns. Without a key, encrypted values are only
 * compared with their checksums.
 */
export function judgeOf(table: string, decryptor: Decryptor | undefined): (row: Row) => string[] {
  if (table === "journal") return (row) => judgeJournal(row, decryptor);
  if (table === "steps") return judgeStep;
  if (table === "knowledge") return judgeKnowledge;
  if (table !== "audit") return () => [];
  const audit = new AuditJudge();
  return (row) => audit.judge(row);
}

function judgeStep(row: Row): string[] {
  if (integer(row.sum) === sumOfStep(bytes(row.info), bytes(row.value))) return [];
  return [`what step row ${integer(row.n)} holds is not what its sum says`];
}

function judgeKnowledge(row: Row): string[] {
  if (integer(row.sum) === sumOfKnowledge(text(row.topic), text(row.key), bytes(row.content))) return [];
  return [`what knowledge row ${integer(row.n)} holds is not what its sum says`];
}

function judgeJournal(row: Row, decryptor: Decryptor | undefined): string[] {
  const directory = text(row.directory);
  if (!hasItsSum(row.sum, directory, summed(row))) {
    return [`what journal row ${integer(row.n)} holds is not what its sum says`];
  }
  if (decryptor === undefined || areWhole(() => ({ directory, bytes: decryptor.journal(row).contents })))
    return [];
  return [`a content of journal row ${integer(row.n)} is not what its digest says`];
}
