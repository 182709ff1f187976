import { expect, it, onTestFinished } from "vitest";
import { shiftClock } from "./shifted-date.ts";

it("shifts the current time, and leaves given instants alone", () => {
  const real = Date;
  onTestFinished(() => {
    globalThis.Date = real;
  });
  const hourMs = 60 * 60_000;
  shiftClock(hourMs);
  expect(Date.now() - real.now()).toBeGreaterThan(hourMs - 1_000);
  const made = new Date();
  expect(made.getTime() - real.now()).toBeGreaterThan(hourMs - 1_000);
  expect(new Date(0).getTime()).toBe(0);
  shiftClock(-hourMs);
  expect(Date.now()).toBeLessThan(real.now());
  expect(new Date()).toBeInstanceOf(real);
});
