/**
 * Runs in a page that is walked with the keyboard. Records where the focus goes and whether it is visible, and reports
 * afterwards what was not reached.
 */
window.keyWalk ??= (() => {
  const controls =
    "a[href], button, input, select, textarea, summary, audio[controls], video[controls], [contenteditable=true], " +
    "[role=button], [role=link], [role=tab], [role=option], [role=checkbox], [role=radio], [role=switch], " +
    "[role=menuitem], [role=slider], [role=combobox], [role=treeitem], [tabindex]:not([tabindex='-1'])";
  const mouseEvents = [
    "onClick",
    "onDoubleClick",
    "onMouseDown",
    "onMouseUp",
    "onPointerDown",
    "onPointerUp",
  ];

  let reached = new Set();
  let faults = new Set();
  let first;
  let last;

  const named = (element) => {
    const words = (element.getAttribute("aria-label") ?? element.textContent).trim().slice(0, 60);
    return `${element.cloneNode().outerHTML.slice(0, 160)} ${words}`;
  };

  const isVisible = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width * height > 0;
  };

  const isTransparent = (colour) => /^transparent$|, 0\)$|\/ 0\)$/.test(colour);

  /** The styles that can indicate the focus. */
  const lookOf = (element) => {
    const style = getComputedStyle(element);
    const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = style;
    const hasOutline =
      outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1 && !isTransparent(outlineColor);
    const { boxShadow, backgroundColor, borderColor, borderWidth, color, textDecorationLine } = style;
    const rest = [boxShadow, backgroundColor, borderColor, borderWidth, color, textDecorationLine].join();
    const offset = hasOutline ? Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth) / 2 : 0;
    return { hasOutline, rest, sides: hasOutline ? visibleSides(element, offset) : 0 };
  };

  /** How many sides of the focus ring are not clipped. */
  const visibleSides = (element, offset) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const across = [left - offset, right + offset].filter((side) => isUncut(element, side, y));
    const down = [top - offset, bottom + offset].filter((side) => isUncut(element, x, side));
    return across.length + down.length;
  };

  const isUncut = (element, x, y) => {
    for (let frame = element.parentElement; frame && frame !== document.body; frame = frame.parentElement) {
      if (frame.matches("dialog:modal")) return true;
      const { overflowX, overflowY } = getComputedStyle(frame);
      const { left, right, top, bottom } = frame.getBoundingClientRect();
      if (overflowX !== "visible" && (x < left || x > right)) return false;
      if (overflowY !== "visible" && (y < top || y > bottom)) return false;
    }
    return true;
  };

  /** Whether a part of the element is visible and not covered. */
  const isUncovered = (element) => {
    const box = element.getBoundingClientRect();
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    const places = [0.5, 0.1, 0.9].flatMap((across) => [0.5, 0.1, 0.9].map((down) => [across, down]));
    return places.some(([across, down]) => {
      const hit = document.elementFromPoint(left + (right - left) * across, top + (bottom - top) * down);
      return hit !== null && (element.contains(hit) || hit.closest("label")?.control === element);
    });
  };

  /** Checks that the previous element looked different with the focus. */
  const leave = () => {
    // A date field stays the active element while its parts have the focus.
    if (!last?.element.isConnected || document.activeElement === last.element) return;
    const { hasOutline, rest } = lookOf(last.element);
    const isRinged = last.look.hasOutline && !hasOutline && last.look.sides >= 2;
    if (!isRinged && last.look.rest === rest)
      faults.add(`the focus is not visible at ${named(last.element)}`);
  };

  const isReached = (element) =>
    reached.has(element) ||
    // A group of radio buttons has one stop; the arrow keys do the rest.
    (element.type === "radio" &&
      [...reached].some(({ type, name }) => type === "radio" && name === element.name));

  const isReachedWith = (element) => {
    for (let one = element; one; one = one.parentElement) if (isReached(one)) return true;
    const label = element.closest("label");
    return label?.control ? isReached(label.control) || label.control.disabled : false;
  };

  const answersTheMouse = (element) => {
    const props = element[Object.keys(element).find((key) => key.startsWith("__reactProps$")) ?? ""] ?? {};
    if (mouseEvents.some((event) => props[event])) return true;
    const isPointer = (one) => getComputedStyle(one).cursor === "pointer";
    return isPointer(element) && !(element.parentElement && isPointer(element.parentElement));
  };

  const scrolls = (element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    const may = (overflow) => overflow === "auto" || overflow === "scroll";
    return (
      (may(overflowY) && element.scrollHeight > element.clientHeight + 1) ||
      (may(overflowX) && element.scrollWidth > element.clientWidth + 1)
    );
  };

  return {
    begin() {
      [reached, faults, first, last] = [new Set(), new Set(), undefined, undefined];
    },

    /** Records the focus. The result determines the next key. */
    note(within) {
      leave();
      const element = document.activeElement;
      if (!element || element === document.body) {
        last = undefined;
        return { isAround: first === document.body || within !== undefined, isTab: false };
      }
      const isAround = within === undefined ? element === first : !element.closest(within);
      first ??= element;
      if (isAround) return { isAround, isTab: false };
      reached.add(element);
      if (!isUncovered(element)) faults.add(`the focus is out of view at ${named(element)}`);
      last = { element, look: lookOf(element) };
      return { isAround, isTab: element.role === "tab" };
    },

    /** Describes the focused element. */
    place: () => (document.activeElement ? named(document.activeElement) : "nowhere"),

    findings({ within = "body", isBack = false }) {
      const modal = document.querySelector("dialog:modal");
      const all = [...(modal ?? document.querySelector(within)).querySelectorAll("*")].filter(isVisible);
      const isRoving = (element) => element.role === "tab" && element.tabIndex < 0;
      // Only some browsers make scrolling elements focusable.
      const hasStop = (element) =>
        [...reached].some((one) => element.contains(one) && (one !== element || element.tabIndex >= 0));
      // A click on the backdrop closes a dialog, and so does Escape.
      const rest = all.filter((element) => !element.matches(":disabled, [aria-disabled=true], dialog"));
      for (const element of rest) {
        const isControl = element.matches(controls);
        if (isControl && !isReached(element) && !(isBack && isRoving(element)))
          faults.add(`the keyboard does not reach ${named(element)}`);
        if (!isControl && answersTheMouse(element) && !isReachedWith(element))
          faults.add(`only the mouse can use ${named(element)}`);
        if (!isControl && scrolls(element) && !hasStop(element))
          faults.add(`only the mouse can scroll ${named(element)}`);
      }
      return { stops: reached.size, faults: [...faults] };
    },
  };
})();
