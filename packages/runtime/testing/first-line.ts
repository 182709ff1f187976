import type { ChildProcess } from "node:child_process";

/** Characters of standard error in the error. */
const maxCharacters = 4_000;

/** The first line that a process prints. Rejects with its end and its standard error when it ends before. */
export function firstLine(child: ChildProcess): Promise<string> {
  let [printed, errors] = ["", ""];
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-maxCharacters);
  });
  return new Promise((resolve, reject) => {
    const take = (text: string) => {
      printed += text;
      const [line = "", ...others] = printed.split("\n");
      if (others.length === 0) return;
      child.stdout?.off("data", take).resume();
      resolve(line);
    };
    child.stdout?.setEncoding("utf8").on("data", take);
    child.once("error", reject);
    child.once("close", (code, signal) =>
      reject(new Error(`the process ended with ${code ?? signal} before it printed a line\n${errors}`)),
    );
  });
}
