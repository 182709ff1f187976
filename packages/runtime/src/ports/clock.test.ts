import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "./clock.ts";

afterEach(() => {
  vi.useRealTimers();
});

const hourMs = 60 * 60_000;
const startMs = Date.UTC(2026, 0, 1);

/** A machine whose clock can be set, and which can be sent to sleep. */
function machine() {
  const at = { wallMs: startMs, awakeMs: 500, uptimeMs: 77_000 };
  const looks = { uptime: 0 };
  return {
    looks,
    sources: {
      wallMs: () => at.wallMs,
      awakeMs: () => at.awakeMs,
      uptimeMs: () => {
        looks.uptime++;
        return at.uptimeMs;
      },
    },
    pass(ms: number) {
      at.wallMs += ms;
      at.awakeMs += ms;
      at.uptimeMs += ms;
    },
    sleep(ms: number) {
      at.wallMs += ms;
      at.uptimeMs += ms;
    },
    /** Some systems give whole seconds. */
    misreadUptime(byMs: number) {
      at.uptimeMs += byMs;
    },
    set(byMs: number) {
      at.wallMs += byMs;
    },
  };
}

describe("the clock of the hub", () => {
  it("[OBS-02] begins with that of the machine, or with the newest instant on record", () => {
    expect(systemClock(0, machine().sources).nowMs()).toBe(startMs);
    expect(systemClock(startMs + hourMs, machine().sources).nowMs()).toBe(startMs + hourMs);
  });

  it("[OBS-02] lets the machine's catch up when the record lies ahead, and never goes back", () => {
    const { sources, pass } = machine();
    const clock = systemClock(startMs + hourMs, sources);
    pass(hourMs);
    expect(clock.nowMs()).toBe(startMs + 1.5 * hourMs);
    pass(hourMs);
    expect(clock.nowMs()).toBe(startMs + 2 * hourMs);
    pass(hourMs);
    expect(clock.nowMs()).toBe(startMs + 3 * hourMs);
  });

  it.each([hourMs, -hourMs])(
    "[OBS-02] goes on as time passes when that of the machine is set by %i ms",
    (byMs) => {
      const { sources, set, pass } = machine();
      const clock = systemClock(0, sources);
      set(byMs);
      pass(5_000);
      expect(clock.nowMs()).toBe(startMs + 5_000);
    },
  );

  it("[OBS-02] moves forward by what it missed when the machine slept, each time", () => {
    const { sources, sleep, pass } = machine();
    const clock = systemClock(0, sources);
    pass(10_000);
    expect(clock.nowMs()).toBe(startMs + 10_000);
    sleep(hourMs);
    pass(1_000);
    expect(clock.nowMs()).toBe(startMs + 11_000 + hourMs);
    sleep(10_000);
    pass(1_000);
    expect(clock.nowMs()).toBe(startMs + 22_000 + hourMs);
  });

  it("never goes back, and takes the grain of the uptime for no sleep", () => {
    const { sources, sleep, pass, misreadUptime } = machine();
    const clock = systemClock(0, sources);
    sleep(hourMs);
    pass(1_000);
    const before = clock.nowMs();
    for (const byMs of [900, -1_800, -hourMs]) {
      misreadUptime(byMs);
      pass(1_000);
      clock.nowMs();
    }
    expect(clock.nowMs()).toBe(before + 3_000);
  });

  it("asks for the uptime once a second at the most", () => {
    const { sources, pass, looks } = machine();
    const clock = systemClock(0, sources);
    const atFirst = looks.uptime;
    for (let call = 0; call < 3_000; call++) {
      pass(1);
      clock.nowMs();
    }
    expect(looks.uptime - atFirst).toBe(3);
  });

  it("counts the real time of this machine", () => {
    const clock = systemClock();
    const [first, second] = [clock.nowMs(), clock.nowMs()];
    expect(Math.abs(first - Date.now())).toBeLessThan(hourMs);
    expect(second).toBeGreaterThanOrEqual(first);
  });
});

describe("what waits for a time", () => {
  function waiting(delayMs: number) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { sources, pass, sleep } = machine();
    const rang: number[] = [];
    const clock = systemClock(0, sources);
    const stop = clock.after(delayMs, () => rang.push(clock.nowMs() - startMs));
    const go = (ms: number) => {
      for (let passed = 0; passed < ms; passed += 1_000) {
        pass(1_000);
        vi.advanceTimersByTime(1_000);
      }
    };
    return { rang, stop, go, sleep };
  }

  it("is called once, when it has come", () => {
    const { rang, go } = waiting(150_000);
    go(149_000);
    expect(rang).toEqual([]);
    go(hourMs);
    expect(rang).toEqual([150_000]);
  });

  it("is called soon after the machine woke, when the time came while it slept", () => {
    const { rang, go, sleep } = waiting(2 * hourMs);
    go(10_000);
    sleep(3 * hourMs);
    go(60_000);
    expect(rang).toHaveLength(1);
  });

  it("is not called when it was stopped, at whatever time", () => {
    const { rang, go, stop } = waiting(150_000);
    go(100_000);
    stop();
    go(hourMs);
    expect(rang).toEqual([]);
  });
});
