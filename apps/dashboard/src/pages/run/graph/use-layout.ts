import { useEffect, useState } from "react";
import type { Layout, Node } from "./layout.ts";

let worker: Worker | undefined;
let lastId = 0;
const layouts = new Map<string, Layout>();

/** The layout of a graph, computed in a worker. Undefined until then. */
export function useLayout(nodes: readonly Node[]): Layout | undefined {
  const key = JSON.stringify(nodes);
  const [layout, setLayout] = useState(() => layouts.get(key));
  useEffect(() => {
    const known = layouts.get(key);
    if (known) {
      setLayout(known);
      return;
    }
    worker ??= new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    const id = ++lastId;
    const onMessage = ({ data }: MessageEvent<{ readonly id: number; readonly layout: Layout }>) => {
      if (data.id !== id) return;
      layouts.set(key, data.layout);
      setLayout(data.layout);
    };
    worker.addEventListener("message", onMessage);
    worker.postMessage({ id, nodes: JSON.parse(key) });
    return () => worker?.removeEventListener("message", onMessage);
  }, [key]);
  return layout;
}
