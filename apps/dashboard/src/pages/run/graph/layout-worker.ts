import { layOut, type Node } from "./layout.ts";

self.onmessage = ({ data }: MessageEvent<{ readonly id: number; readonly nodes: readonly Node[] }>) => {
  self.postMessage({ id: data.id, layout: layOut(data.nodes) });
};
