import { useState } from "react";

/** A line to be typed in a shell, with a button that copies it. */
export function Command({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  // Browsers have none on pages that come neither from this machine nor over TLS.
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  return (
    <div className="command">
      <code className="wrap">{text}</code>
      {clipboard && (
        <button
          type="button"
          className="button small"
          onClick={() => clipboard.writeText(text).then(() => setCopied(true))}
        >
          {isCopied ? "Copied" : "Copy"}
        </button>
      )}
    </div>
  );
}
