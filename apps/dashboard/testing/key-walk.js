/**
 * Put into a page on which somebody goes from place to place with the keyboard. It notes where the focus comes and what
 * is seen of it there, and tells afterwards what it did not come to.
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

  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width * height > 0;
  };

  const isTransparent = (colour) => /^transparent$|, 0\)$|\/ 0\)$/.test(colour);

  /** What may tell that an element has the focus. */
  const lookOf = (element) => {
    const style = getComputedStyle(element);
    const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = style;
    const hasOutline =
      outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1 && !isTransparent(outlineColor);
    const { boxShadow, backgroundColor, borderColor, borderWidth, color, textDecorationLine } = style;
    const rest = [boxShadow, backgroundColor, borderColor, borderWidth, color, textDecorationLine].join();
    const offset = hasOutline ? Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth) / 2 : 0;
    return { hasOutline, rest, sides: hasOutline ? sidesInSight(element, offset) : 0 };
  };

  /** How many sides of the ring around it are cut off by nothing that it stands in. */
  const sidesInSight = (element, offset) => {
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

  /** Whether anything of it is in the window and under nothing else. */
  const isInSight = (element) => {
    const box = element.getBoundingClientRect();
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    const places = [0.5, 0.1, 0.9].flatMap((across) => [0.5, 0.1, 0.9].map((down) => [across, down]));
    return places.some(([across, down]) => {
      const hit = document.elementFromPoint(left + (right - left) * across, top + (bottom - top) * down);
      return hit !== null && (element.contains(hit) || hit.closest("label")?.control === element);
    });
  };

  /** The focus has gone on: what it left must look other than it did. */
  const leave = () => {
    // Parts inside a date field take the focus from it, and it stays the active element.
    if (!last?.element.isConnected || document.activeElement === last.element) return;
    const { hasOutline, rest } = lookOf(last.element);
    const isRinged = last.look.hasOutline && !hasOutline && last.look.sides >= 2;
    if (!isRinged && last.look.rest === rest) faults.add(`the focus is not seen at ${named(last.element)}`);
  };

  const isReached = (element) =>
    reached.has(element) ||
    // Of a group of radio buttons one is a stop; arrows go on from there.
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

    /** Notes where the focus is, and says what the next key is for. */
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
      if (!isInSight(element)) faults.add(`the focus is out of sight at ${named(element)}`);
      last = { element, look: lookOf(element) };
      return { isAround, isTab: element.role === "tab" };
    },

    /** Where the focus is, in words. */
    place: () => (document.activeElement ? named(document.activeElement) : "nowhere"),

    told({ within = "body", isBack = false }) {
      const modal = document.querySelector("dialog:modal");
      const all = [...(modal ?? document.querySelector(within)).querySelectorAll("*")].filter(isShown);
      const isRoving = (element) => element.role === "tab" && element.tabIndex < 0;
      // Some browsers make stops of what scrolls by themselves, others do not.
      const hasStop = (element) =>
        [...reached].some((one) => element.contains(one) && (one !== element || element.tabIndex >= 0));
      // Beside a sheet a click closes it, which Escape does as well.
      const rest = all.filter((element) => !element.matches(":disabled, [aria-disabled=true], dialog"));
      for (const element of rest) {
        const isControl = element.matches(controls);
        if (isControl && !isReached(element) && !(isBack && isRoving(element)))
          faults.add(`the keyboard does not come to ${named(element)}`);
        if (!isControl && answersTheMouse(element) && !isReachedWith(element))
          faults.add(`only the mouse can use ${named(element)}`);
        if (!isControl && scrolls(element) && !hasStop(element))
          faults.add(`only the mouse can scroll ${named(element)}`);
      }
      return { stops: reached.size, faults: [...faults] };
    },
  };
})();
