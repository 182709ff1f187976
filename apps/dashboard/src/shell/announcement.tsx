import { useEffect, useState } from "react";
import { Link } from "../router/link.tsx";
import { usePath } from "../router/location.ts";

interface Told {
  readonly text: string;
  /** Where what comes of it is seen. */
  readonly to?: { readonly href: string; readonly word: string } | undefined;
}

let tell: (told: Told | undefined) => void = () => {};

/** Says in passing that something is done. */
export function announce(text: string, to?: Told["to"]): void {
  tell({ text, to });
}

const shownMs = 5_000;
/** Somebody has to read it, and get there. */
const shownWithLinkMs = 12_000;

export function Announcement() {
  const [told, setTold] = useState<Told>();
  useEffect(() => {
    tell = setTold;
    return () => {
      tell = () => {};
    };
  }, []);
  const path = usePath();
  // It is about the page on which it was done. (The path is why the effect runs, and is not read.)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => setTold(undefined), [path]);
  useEffect(() => {
    if (!told) return;
    const timer = setTimeout(() => setTold(undefined), told.to ? shownWithLinkMs : shownMs);
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <div className="announcement" role="status" aria-live="polite">
      {told && (
        <span>
          {told.text}
          {told.to && (
            <>
              {" "}
              <Link href={told.to.href} onClick={() => setTold(undefined)}>
                {told.to.word}
              </Link>
            </>
          )}
        </span>
      )}
    </div>
  );
}
