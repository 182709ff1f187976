import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";

export interface Tab {
  readonly id: string;
  readonly name: ReactNode;
  readonly render: () => ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Tabs, with the arrow keys to move between them. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const base = useId();
  const current = tabs.find(({ id }) => id === selected) ?? tabs[0];
  const list = useRef<HTMLDivElement>(null);
  const currentId = current?.id;
  // On narrow pages the tabs scroll. Keeps the selected one visible.
  useEffect(() => {
    const tab = currentId && document.getElementById(`${base}-${currentId}`);
    const frame = list.current;
    if (!tab || !frame) return;
    const [inner, outer] = [tab.getBoundingClientRect(), frame.getBoundingClientRect()];
    if (inner.left >= outer.left && inner.right <= outer.right) return;
    frame.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }, [base, currentId]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || !current) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length];
    if (!next) return;
    onSelect(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
  };
  return (
    <>
      <div className="tabs" ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            role="tab"
            className="tab"
            aria-selected={id === current?.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === current?.id ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        className="tab-panel"
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${current?.id}`}
      >
        {current?.render()}
      </div>
    </>
  );
}
