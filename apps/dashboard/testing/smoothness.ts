import type { Locator, Page } from "playwright-core";

/** The cost of scrolling. */
export interface Scrolled {
  /** The median time between two frames. */
  readonly frameMs: number;
  /** The busy time of the main thread per step. */
  readonly busyMs: number;
  /** Tasks of more than 50 ms. */
  readonly longTasks: number;
}

const watchFrames = `
  window.frames60 = { gaps: [], longTasks: 0, isOver: false };
  new PerformanceObserver((list) => (window.frames60.longTasks += list.getEntries().length)).observe({ type: "longtask" });
  let before;
  requestAnimationFrame(function note(now) {
    if (before !== undefined) window.frames60.gaps.push(now - before);
    before = now;
    if (!window.frames60.isOver) requestAnimationFrame(note);
  });
`;

/** Scrolls a part of the page with the wheel. Each step is rendered before the next. */
export async function scrollByWheel(
  page: Page,
  part: Locator,
  { steps, x = 0, y = 0 }: { readonly steps: number; readonly x?: number; readonly y?: number },
): Promise<Scrolled> {
  await part.hover();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const busySeconds = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  await page.evaluate(`{ ${watchFrames} }`);
  const began = await busySeconds();
  for (let step = 0; step < steps; step++) {
    await page.mouse.wheel(x, y);
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  }
  const busyMs = ((await busySeconds()) - began) * 1_000;
  const { gaps, longTasks } = await page.evaluate<{ gaps: number[]; longTasks: number }>(
    "(window.frames60.isOver = true, window.frames60)",
  );
  await session.detach();
  return { frameMs: median(gaps), busyMs: busyMs / steps, longTasks };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
