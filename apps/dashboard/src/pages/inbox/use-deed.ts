import { useState } from "react";
import { type Problem, problemOf } from "../../hub/problem.ts";
import { announce } from "../../shell/announcement.tsx";

/** Does something once, and says how it went. */
export function useDeed(onDone: () => void) {
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  /** Without `done` nothing is said: where it leads to tells it. */
  const run = async (deed: () => Promise<unknown>, done = "") => {
    setBusy(true);
    setProblem(undefined);
    try {
      await deed();
      if (done !== "") announce(done);
      onDone();
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  return { problem, isBusy, run };
}
