import type { ReactNode } from "react";
import { useShortcut } from "../router/keys.ts";
import { Link } from "../router/link.tsx";
import { navigate } from "../router/location.ts";
import { sections } from "./sections.ts";

interface NavigationProps {
  readonly current: string;
  readonly waiting: number;
  /** Whether more wait than were counted. */
  readonly hasMore: boolean;
}

export function Navigation({ current, waiting, hasMore }: NavigationProps) {
  return (
    <nav className="nav" aria-label="Pages">
      {sections.map(({ name, address, key }) => (
        <Entry key={name} {...{ name, address, shortcut: key }} isCurrent={current === address}>
          {name === "Inbox" && waiting > 0 && (
            <span className="count">
              {waiting}
              {hasMore && "+"}
              <span className="sr"> waiting</span>
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
