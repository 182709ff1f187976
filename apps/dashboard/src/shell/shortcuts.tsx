import { useState } from "react";
import { Sheet } from "../design/sheet.tsx";
import { activeShortcuts, type Shortcut, useShortcut } from "../router/keys.ts";

/** What the keyboard can do here. */
export function Shortcuts() {
  const [shown, show] = useState<readonly Shortcut[]>();
  useShortcut("?", "Show what the keyboard can do", () => show(activeShortcuts()));
  return (
    <>
      <button
        type="button"
        className="button small"
        title="What the keyboard can do (?)"
        onClick={() => show(activeShortcuts())}
      >
        ?<span className="sr"> What the keyboard can do</span>
      </button>
      {shown && (
        <Sheet title="Keyboard" onClose={() => show(undefined)}>
          <dl className="facts">
            {shown.map(({ keys, does }) => (
              <div key={keys} className="key-row">
                <dt>
                  {keys.split(" ").map((key) => (
                    <kbd className="kbd" key={key}>
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <p className="quiet">Tab and Enter reach everything else.</p>
          <div className="row">
            <button type="button" className="button" onClick={() => show(undefined)}>
              Close
            </button>
          </div>
        </Sheet>
      )}
    </>
  );
}
