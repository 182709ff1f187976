import { useState } from "react";
import { type Problem, problemOf } from "../hub/problem.ts";
import { runAddress } from "../router/routes.ts";
import { announce } from "./announcement.tsx";

interface StageOfRun {
  readonly pipelineId: string;
  readonly stageId: string;
}

/** Runs an action once and announces its result. */
export function useAction<Result>(onDone: (result: Result) => void) {
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  /** An empty `done` announces nothing; `about` adds a link to its run. */
  const run = async (
    action: () => Promise<Result>,
    done: string | ((result: Result) => string) = "",
    about?: StageOfRun,
  ) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const result = await action();
      const text = typeof done === "string" ? done : done(result);
      const link = about && { href: runAddress(about.pipelineId, about.stageId), text: "View run" };
      if (text !== "") announce(text, link);
      onDone(result);
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  return { problem, isBusy, run };
}
