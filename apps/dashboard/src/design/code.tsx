import { useState } from "react";

/** Program text. It may scroll, so it takes the keyboard focus. */
export function Code({ children }: { readonly children: string }) {
  return (
    <pre className="code" tabIndex={0}>
      {children}
    </pre>
  );
}

/** A shell command with a copy button. */
export function Command({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  // Undefined on pages that come neither from localhost nor over TLS.
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
