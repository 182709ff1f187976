import type { AttemptSummary, GetAttemptResponse, Pipeline, Stage } from "@baton/contract/messages";
import type { ReactNode } from "react";
import { VisibleText } from "../../../design/visible-text.tsx";

export interface TabProps {
  readonly pipeline: Pipeline;
  readonly stage: Stage;
  /** The selected attempt; undefined before the first dispatch. */
  readonly summary: AttemptSummary | undefined;
  /** Undefined until it is read. */
  readonly attempt: GetAttemptResponse | undefined;
}

/** Explains why a tab is empty. */
export function NotYet({ stage, what }: { readonly stage: Stage; readonly what: string }) {
  return (
    <p className="quiet">
      {what}
      {stage.waitingFor !== "" && ` Waiting for ${stage.waitingFor}.`}
    </p>
  );
}

export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="stack tight">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface TextsProps {
  readonly title: string;
  readonly texts: readonly string[] | undefined;
}

/** A heading with a list; nothing when the list is empty. */
export function Texts({ title, texts = [] }: TextsProps) {
  if (texts.length === 0) return null;
  return (
    <Part title={title}>
      <ul className="texts">
        {texts.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: texts may repeat and are never reordered.
          <li key={index} className="wrap">
            <VisibleText text={text} isProse />
          </li>
        ))}
      </ul>
    </Part>
  );
}
