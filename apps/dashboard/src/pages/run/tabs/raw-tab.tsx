import { AgentResultSchema, type GetAttemptResponse, TaskEnvelopeSchema } from "@baton/contract/messages";
import { toJsonString } from "@bufbuild/protobuf";
import { useState } from "react";
import { Code } from "../../../design/code.tsx";
import { NotYet, type TabProps } from "./tab.tsx";

/** Envelope and result in the JSON form of the contract. */
export function RawTab({ stage, attempt }: TabProps) {
  const [part, setPart] = useState<"envelope" | "result">("envelope");
  if (!attempt) return <NotYet stage={stage} what="Not dispatched yet." />;
  const text = textOf(attempt, part);
  return (
    <div className="stack">
      <div className="row">
        {(["envelope", "result"] as const).map((what) => (
          <button
            key={what}
            type="button"
            className="chip"
            aria-pressed={part === what}
            onClick={() => setPart(what)}
          >
            {what === "envelope" ? "Envelope" : "Result"}
          </button>
        ))}
        <span className="spring" />
        <button type="button" className="button small" onClick={() => navigator.clipboard?.writeText(text)}>
          Copy
        </button>
      </div>
      <Code>{text}</Code>
    </div>
  );
}

function textOf({ envelope, result }: GetAttemptResponse, what: "envelope" | "result"): string {
  const options = { prettySpaces: 2 };
  if (what === "envelope") return envelope ? toJsonString(TaskEnvelopeSchema, envelope, options) : "";
  return result ? toJsonString(AgentResultSchema, result, options) : "No result yet.";
}
