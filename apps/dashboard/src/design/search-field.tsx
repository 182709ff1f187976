import { useEffect, useRef, useState } from "react";
import { useShortcut } from "../router/keys.ts";
import { Sign } from "./signs.tsx";

/** The pause in typing after which a search starts. */
const typingMs = 200;

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly title?: string;
  /** The current search. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

export function SearchField({ label, placeholder, title, value, onSearch }: SearchFieldProps) {
  const [typed, type] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  useEffect(() => type(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => latest.current(typed), typingMs);
    return () => clearTimeout(timer);
  }, [typed, value]);
  useShortcut("/", "Search", () => field.current?.focus());
  return (
    <label className="search-field">
      <Sign name="search" />
      <span className="sr">{label}</span>
      <input
        ref={field}
        className="input"
        type="search"
        placeholder={placeholder}
        title={title}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && field.current?.blur()}
      />
    </label>
  );
}
