/**
 * How long a browser on this machine takes to show the dashboard, from the click to the first content, beside the plainest
 * page that there can be: one sentence, from a server that does nothing else.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { buildPage } from "@baton/dashboard/build";
import { type Browser, chromium } from "playwright-core";
import { bound, median, reportBounds } from "../measure.ts";

const rounds = 7;
const path = process.env.BATON_CHROMIUM ?? "/usr/bin/chromium";

if (existsSync(path)) {
  await measure();
  reportBounds();
} else console.log("skipped: there is no Chromium; install it, or set BATON_CHROMIUM");

async function measure(): Promise<void> {
  const { compressedBytes } = await buildPage();
  const hub = await startHub();
  const floor = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>plain</title><p>Runs</p>");
  });
  await new Promise<void>((resolve) => floor.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({
    executablePath: path,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
  });
  try {
    const plain = `http://127.0.0.1:${(floor.address() as AddressInfo).port}`;
    const seen: { page: number[]; floor: number[] } = { page: [], floor: [] };
    for (let round = 0; round < rounds; round++) {
      seen.floor.push(await firstContentMs(browser, plain));
      seen.page.push(await firstContentMs(browser, hub.http));
    }
    console.log(
      `  the page      ${Math.round(median(seen.page))} ms to the first content, ${compressedBytes} bytes compressed`,
    );
    console.log(`  plainest page ${Math.round(median(seen.floor))} ms`);
    bound("seconds to the first content", median(seen.page) / 1_000, 1);
    bound("kilobytes of the page, compressed", compressedBytes / 1_000, 500);
  } finally {
    await browser.close();
    floor.close();
    hub.end();
  }
}

/** In a browser that has never been there. */
async function firstContentMs(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.getByText("Runs").first().waitFor();
    return await page.evaluate(`new Promise((resolve) => {
      new PerformanceObserver((list) => {
        const [paint] = list.getEntriesByName("first-contentful-paint");
        if (paint) resolve(paint.startTime);
      }).observe({ type: "paint", buffered: true });
    })`);
  } finally {
    await context.close();
  }
}

async function startHub(): Promise<{ http: string; end: () => void }> {
  const program = fileURLToPath(new URL("../../apps/server/bin/baton-server.mjs", import.meta.url));
  const places = [
    "--data",
    ":memory:",
    "--grpc",
    "127.0.0.1:0",
    "--http",
    "127.0.0.1:0",
    "--log-level",
    "error",
  ];
  const child = spawn(process.execPath, [program, ...places], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const text of child.stdout.setEncoding("utf8")) {
    if (text.includes('"ready":true')) return { http: JSON.parse(text).http, end: () => child.kill() };
  }
  throw new Error("the hub did not start");
}
