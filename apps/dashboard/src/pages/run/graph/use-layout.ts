import { useEffect, useState } from "react";
import type { Layout, Node } from "./layout.ts";

let worker: Worker | undefined;
let asked = 0;
const answers = new Map<string, Layout>();

/** The layout of a graph, made beside the page. Undefined until it is there. */
export function useLayout(nodes: readonly Node[]): Layout | undefined {
  const key = JSON.stringify(nodes);
  const [layout, setLayout] = useState(() => answers.get(key));
  useEffect(() => {
    const known = answers.get(key);
    if (known) {
      setLayout(known);
      return;
    }
    worker ??= new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    const id = ++asked;
    const hear = ({ data }: MessageEvent<{ readonly id: number; readonly layout: Layout }>) => {
      if (data.id !== id) return;
      answers.set(key, data.layout);
      setLayout(data.layout);
    };
    worker.addEventListener("message", hear);
    worker.postMessage({ id, nodes: JSON.parse(key) });
    return () => worker?.removeEventListener("message", hear);
  }, [key]);
  return layout;
}
