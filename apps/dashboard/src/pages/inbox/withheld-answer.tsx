import type { Escalation } from "@baton/contract/messages";
import { Code } from "../../design/code.tsx";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { inspection } from "../../hub/client.ts";
import { useLive } from "../../hub/use-live.ts";
import { Alignment } from "../run/tabs/alignment.tsx";

/** What nobody else sees: the answer that a person decides about, with the check that fired. */
export function WithheldAnswer({ item: { escalationId, resolvedAt } }: { readonly item: Escalation }) {
  const { value, problem } = useLive(
    `withheld ${escalationId}`,
    (signal) => inspection.getWithheldAnswer({ escalationId }, { signal }),
    { disabled: resolvedAt !== undefined },
  );
  if (problem) return <ProblemNotice problem={problem} />;
  if (!value) return null;
  const { response, status } = value.result ?? {};
  const words = response?.message || status?.summary;
  return (
    <div className="stack">
      {value.result && (
        <>
          <p className="quiet">Withheld from everybody else until you decide:</p>
          {words && <Code>{words}</Code>}
          {response?.data && <Code>{JSON.stringify(response.data, undefined, 2)}</Code>}
          {response?.thought && <Code>{response.thought}</Code>}
        </>
      )}
      <Alignment report={value.alignment} title="Checks" />
    </div>
  );
}
