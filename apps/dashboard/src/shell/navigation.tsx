import type { ReactNode } from "react";
import { useShortcut } from "../router/keys.ts";
import { Link } from "../router/link.tsx";
import { navigate } from "../router/location.ts";

interface Section {
  readonly name: string;
  readonly address: string;
  readonly key: string;
}

const sections: readonly Section[] = [
  { name: "Runs", address: "/runs", key: "g r" },
  { name: "Inbox", address: "/inbox", key: "g i" },
  { name: "Agents", address: "/agents", key: "g a" },
  { name: "Audit", address: "/audit", key: "g u" },
  { name: "Policies", address: "/policies", key: "g p" },
  { name: "Spend", address: "/spend", key: "g s" },
  { name: "Evals", address: "/evals", key: "g e" },
];

interface NavigationProps {
  readonly current: string;
  readonly waiting: number;
  /** Whether there are more than the count. */
  readonly hasMore: boolean;
}

export function Navigation({ current, waiting, hasMore }: NavigationProps) {
  return (
    <nav className="nav" aria-label="Pages">
      {sections.map(({ name, address, key }) => (
        <Entry key={name} name={name} address={address} shortcut={key} isCurrent={current === address}>
          {name === "Inbox" && waiting > 0 && (
            <span className="count">
              {waiting}
              {hasMore && "+"}
              <span className="sr"> open</span>
            </span>
          )}
        </Entry>
      ))}
    </nav>
  );
}

interface EntryProps {
  readonly name: string;
  readonly address: string;
  readonly shortcut: string;
  readonly isCurrent: boolean;
  readonly children: ReactNode;
}

function Entry({ name, address, shortcut, isCurrent, children }: EntryProps) {
  useShortcut(shortcut, `Go to ${name}`, () => navigate(address));
  return (
    <Link href={address} aria-current={isCurrent ? "page" : undefined}>
      {name}
      {children}
    </Link>
  );
}
