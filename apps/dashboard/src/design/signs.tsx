/** Icons that accompany a word. They add no information. */
const paths = {
  done: "M3 8.5 6.5 12 13 4.5",
  failed: "M4 4l8 8M12 4l-8 8",
  waits: "M8 3.5v5M8 12.2v.1",
  pending: "M8 8h.01",
  running: "M8 2.5a5.5 5.5 0 1 1-5.5 5.5",
  stopped: "M4.5 4.5h7v7h-7z",
  skipped: "M4 4.5 8 8l-4 3.5M9 4.5 13 8l-4 3.5",
  back: "M6.5 4 3 7.5 6.5 11M3.5 7.5H10a3 3 0 0 1 0 6H8",
  plus: "M8 3v10M3 8h10",
  search: "M7 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4M10.2 10.2 13.5 13.5",
  sun: "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7",
  moon: "M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6",
} as const;

export type SignName = keyof typeof paths;

export function Sign({ name, turns = false }: { readonly name: SignName; readonly turns?: boolean }) {
  return (
    <svg className={turns ? "sign turns" : "sign"} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
