import { useEffect, useRef } from "react";

/** What had the focus may go away by what was done with it. Then the page has it, and whoever uses keys goes on from there. */
export function useKeptFocus(isThere: boolean): void {
  const wasThere = useRef(isThere);
  useEffect(() => {
    const hasGone = wasThere.current && !isThere;
    wasThere.current = isThere;
    if (hasGone && document.activeElement === document.body)
      document.getElementById("content")?.focus({ preventScroll: true });
  }, [isThere]);
}
