import { useState } from "react";
import { Sheet } from "../design/sheet.tsx";
import { activeShortcuts, type Shortcut, useShortcut } from "../router/keys.ts";

export function Shortcuts() {
  const [listed, list] = useState<readonly Shortcut[]>();
  useShortcut("?", "Keyboard shortcuts", () => list(activeShortcuts()));
  return (
    <>
      <button
        type="button"
        className="button small"
        title="Keyboard shortcuts (?)"
        onClick={() => list(activeShortcuts())}
      >
        ?<span className="sr"> Keyboard shortcuts</span>
      </button>
      {listed && (
        <Sheet title="Keyboard shortcuts" onClose={() => list(undefined)}>
          <dl className="facts">
            {listed.map(({ keys, does }) => (
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
          <p className="quiet">Use Tab and Enter for everything else.</p>
          <div className="row">
            <button type="button" className="button" onClick={() => list(undefined)}>
              Close
            </button>
          </div>
        </Sheet>
      )}
    </>
  );
}
