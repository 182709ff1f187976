import { type FormEvent, type ReactNode, useState } from "react";
import { SubmitButton } from "../design/form.tsx";
import { useConnection } from "../hub/connection.ts";
import { readKey, writeKey } from "../hub/key.ts";

/** Asks for a key when the hub requires one. */
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
            Enter a key to open this hub. The key stays in this tab and is removed when the tab closes.
          </p>
          {readKey() !== "" && (
            <div className="notice bad" role="alert">
              Invalid key.
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
            <SubmitButton missing={key.trim() === "" ? "Enter a key first." : ""}>Open</SubmitButton>
          </div>
        </div>
      </form>
    </main>
  );
}
