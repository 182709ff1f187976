import { useEffect } from "react";

/** What the tab is called: the thing that is looked at first. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Baton" : `${title} · Baton`;
  }, [title]);
}
