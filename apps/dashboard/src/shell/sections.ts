interface Section {
  readonly name: string;
  readonly address: string;
  readonly key: string;
}

/** The pages that there are, in the order in which they are offered. */
export const sections: readonly Section[] = [
  { name: "Runs", address: "/runs", key: "g r" },
  { name: "Inbox", address: "/inbox", key: "g i" },
  { name: "Agents", address: "/agents", key: "g a" },
  { name: "Audit", address: "/audit", key: "g u" },
  { name: "Policies", address: "/policies", key: "g p" },
];
