import { type RefObject, useEffect, useState } from "react";

export interface View {
  /** Whether a rectangle is visible, or nearly. */
  includes(left: number, top: number, right: number, bottom: number): boolean;
}

/** Rendered beyond the visible part, so that slow scrolling reveals no gaps. */
const margin = 300;

/** The visible part of a scrolling frame. */
export function useView(frame: RefObject<HTMLElement | null>, zoom: number): View {
  const [{ left, top, width, height }, setView] = useState({ left: 0, top: 0, width: 4_000, height: 2_400 });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () => {
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = element;
      setView({ left: scrollLeft, top: scrollTop, width: clientWidth, height: clientHeight });
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [frame]);
  return {
    includes(fromX, fromY, toX, toY) {
      return (
        toX * zoom > left - margin &&
        fromX * zoom < left + width + margin &&
        toY * zoom > top - margin &&
        fromY * zoom < top + height + margin
      );
    },
  };
}
