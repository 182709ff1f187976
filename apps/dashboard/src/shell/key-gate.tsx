import { type FormEvent, type ReactNode, useState } from "react";
import { SubmitButton } from "../design/submit-button.tsx";
import { useConnection } from "../hub/connection.ts";
import { readKey, writeKey } from "../hub/key.ts";

/** A hub with keys shows nothing to whoever has none. The key stays in this tab. */
export function KeyGate({ children }: { readonly children: ReactNode }) {
  const { kind } = useConnection();
  const [key, setKey] = useState("");
  if (kind !== "locked") return children;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    writeKey(key.trim());
    setKey("");
  };
  return (
    <main className="key-gate">
      <form className="card" onSubmit={submit}>
        <div className="card-body stack">
          <h1>Baton</h1>
          <p className="muted">
            This hub asks for a key. It is kept in this tab only, and forgotten when the tab is closed.
          </p>
          {readKey() !== "" && (
            <div className="notice bad" role="alert">
              The hub does not know this key.
            </div>
          )}
          <label className="field">
            <span>Key</span>
            <input
              className="input mono"
              type="password"
              autoComplete="off"
              spellCheck={false}
              placeholder="baton_…"
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          </label>
          <div className="row">
            <SubmitButton missing={key.trim() === "" ? "Write a key first." : ""}>Open</SubmitButton>
          </div>
        </div>
      </form>
    </main>
  );
}
