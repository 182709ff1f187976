import { useState } from "react";
import { type Problem, problemOf } from "../../hub/problem.ts";
import { runAddress } from "../../router/routes.ts";
import { announce } from "../../shell/announcement.tsx";

interface Of {
  readonly pipelineId: string;
  readonly stageId: string;
}

/** Does something once, and says how it went. */
export function useDeed<Result>(onDone: (result: Result) => void) {
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  /** Without `done` nothing is said: where it leads to tells it. `of` is the run that it was about. */
  const run = async (
    deed: () => Promise<Result>,
    done: string | ((result: Result) => string) = "",
    of?: Of,
  ) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const result = await deed();
      const text = typeof done === "string" ? done : done(result);
      if (text !== "")
        announce(text, of && { href: runAddress(of.pipelineId, of.stageId), word: "See the run" });
      onDone(result);
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  return { problem, isBusy, run };
}
