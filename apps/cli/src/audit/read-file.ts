import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";
import { LineCutter } from "./line-cutter.ts";

const pieceBytes = 1024 * 1024;

/** Reads a file line by line, in constant memory, until the listener returns false. */
export function readLines(path: string, onLine: (line: Uint8Array) => boolean): void {
  let goesOn = true;
  const cutter = new LineCutter((line) => {
    if (goesOn && onLine(line) === false) goesOn = false;
  });
  withFile(path, () => {
    const file = openSync(path, "r");
    try {
      while (goesOn) {
        const piece = Buffer.allocUnsafe(pieceBytes);
        const length = readSync(file, piece, 0, pieceBytes, null);
        if (length === 0) break;
        cutter.add(piece.subarray(0, length));
      }
      cutter.end();
    } finally {
      closeSync(file);
    }
  });
}

/** A small file, as text. */
export function readSmall(path: string): string {
  return withFile(path, () => {
    const { size } = statSync(path);
    if (size > limits.auditPinBytes) throw new Error(`it has ${size} bytes, too many for what it should be`);
    return readFileSync(path, "utf8");
  });
}

function withFile<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError("BATON-CLI-002", `the file cannot be read: ${reason}`, {
      at: path,
      fix: "name a file that you may read",
      cause,
    });
  }
}
