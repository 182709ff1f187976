import { ContextLevel, type Ref } from "@baton/contract/messages";
import { Code } from "../../../design/code.tsx";
import { Decisions } from "./decisions-tab.tsx";
import { NotYet, Part, type TabProps, Texts } from "./tab.tsx";

/** The context of an attempt beyond the contract, and what was omitted from it. */
export function ContextTab({ stage, attempt }: TabProps) {
  const envelope = attempt?.envelope;
  if (!envelope) return <NotYet stage={stage} what="Context is sent with the task." />;
  const { contextIn: context, refs, clarifications, inputs } = envelope;
  const { omittedContext = [], contextLevelApplied = ContextLevel.UNSPECIFIED } = attempt.dispatch ?? {};
  return (
    <div className="stack">
      <p className="quiet">
        {contextLevelApplied === ContextLevel.UNSPECIFIED
          ? "Default context level."
          : `Context level ${ContextLevel[contextLevelApplied]}.`}
      </p>
      <Texts title="Omitted context" texts={omittedContext} />
      {context && context.sharedContext !== "" && (
        <Part title="Background">
          <p className="wrap prose">{context.sharedContext}</p>
        </Part>
      )}
      {context && context.taskDelta !== "" && (
        <Part title="Specific to this task">
          <p className="wrap prose">{context.taskDelta}</p>
        </Part>
      )}
      {context?.decisionMemo && context.decisionMemo.decisions.length > 0 && (
        <Part title="Decisions of earlier stages">
          <Decisions decisions={context.decisionMemo.decisions} />
        </Part>
      )}
      {context?.criticalSnippets.map(({ path, startLine, endLine, content, description }) => (
        <Part key={`${path}:${startLine}`} title={`${path}:${startLine}–${endLine} ${description}`}>
          <Code>{content}</Code>
        </Part>
      ))}
      <Texts title="Unconfirmed assumptions" texts={context?.unresolvedAssumptions} />
      <Texts
        title="Questions and answers"
        texts={clarifications.map(({ question, answer }) => `${question} — ${answer}`)}
      />
      {inputs && Object.keys(inputs).length > 0 && (
        <Part title="Inputs">
          <Code>{JSON.stringify(inputs, undefined, 2)}</Code>
        </Part>
      )}
      {refs.length > 0 && (
        <Part title="References">
          <ul className="texts">
            {refs.map((ref) => (
              <li key={ref.uriOrLocator + ref.versionOrSha} className="wrap">
                <RefText reference={ref} />
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

function RefText({ reference }: { readonly reference: Ref }) {
  const { uriOrLocator, versionOrSha, degraded, degradedReason } = reference;
  return (
    <>
      <code>{uriOrLocator}</code>
      {versionOrSha !== "" && <span className="quiet"> at {versionOrSha}</span>}
      {degraded && <span className="badge asks">not refreshed: {degradedReason}</span>}
    </>
  );
}
