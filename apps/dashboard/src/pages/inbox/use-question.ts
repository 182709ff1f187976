import type { Escalation } from "@baton/contract/messages";
import { orchestrator } from "../../hub/client.ts";
import { quoted } from "../../hub/quoted.ts";
import { fallbackMs, type Live, useLive } from "../../hub/use-live.ts";

/** No id is longer. */
const mostLetters = 300;

interface Question {
  /** Open or answered; undefined when there is none of this id. */
  readonly item: Escalation | undefined;
}

/** A question that is not among those that wait: it was answered, or more wait than are listed, or there is none. */
export function useQuestion(escalationId: string, disabled: boolean): Live<Question> {
  return useLive(
    `question ${escalationId}`,
    async (signal) => {
      const filter = `escalation_id = ${quoted(escalationId.slice(0, mostLetters))}`;
      const { escalations } = await orchestrator.listEscalations({ filter, pageSize: 1 }, { signal });
      return { item: escalations[0] };
    },
    { touches: () => false, changeHints: ({ inbox }) => inbox, everyMs: fallbackMs, disabled },
  );
}
