import { useEffect } from "react";
import { Link } from "../router/link.tsx";
import { usePath } from "../router/location.ts";
import { Store, useStore } from "../store.ts";

interface Message {
  readonly text: string;
  readonly link?: { readonly href: string; readonly text: string } | undefined;
}

const current = new Store<Message | undefined>(undefined);

const displayMs = 5_000;
/** Long enough to reach the link. */
const displayWithLinkMs = 12_000;

/** Displays the result of an action for a few seconds. */
export function announce(text: string, link?: Message["link"]): void {
  current.set({ text, link });
}

function dismiss(): void {
  current.set(undefined);
}

export function Announcement() {
  const message = useStore(current);
  const path = usePath();
  // A message belongs to the page of its action.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path triggers the effect.
  useEffect(dismiss, [path]);
  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(dismiss, message.link ? displayWithLinkMs : displayMs);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div className="announcement" role="status" aria-live="polite">
      {message && (
        <span>
          {message.text}
          {message.link && (
            <>
              {" "}
              <Link href={message.link.href} onClick={dismiss}>
                {message.link.text}
              </Link>
            </>
          )}
        </span>
      )}
    </div>
  );
}
