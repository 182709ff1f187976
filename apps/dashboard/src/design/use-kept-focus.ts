import { useEffect, useRef } from "react";

/** Moves the focus to the page when the element that had it disappears after its action. */
export function useKeptFocus(isPresent: boolean): void {
  const wasPresent = useRef(isPresent);
  useEffect(() => {
    const hasGone = wasPresent.current && !isPresent;
    wasPresent.current = isPresent;
    if (hasGone && document.activeElement === document.body)
      document.getElementById("content")?.focus({ preventScroll: true });
  }, [isPresent]);
}
