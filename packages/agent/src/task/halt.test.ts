import { describe, expect, it } from "vitest";
import { TaskStopped } from "../agent-error.ts";
import { Halt } from "./halt.ts";

describe("the end of an attempt", () => {
  it.each(["before", "after"])("aborts a signal that was requested %s it", (when) => {
    const halt = new Halt();
    const early = when === "before" ? halt.signal : undefined;
    expect(early?.aborted ?? false).toBe(false);
    halt.stop("deadline", "too late");
    halt.stop("answered", "it was answered");
    expect(early ?? halt.signal).toBe(halt.signal);
    expect(halt.signal.aborted).toBe(true);
    expect(halt.signal.reason).toBeInstanceOf(TaskStopped);
    expect(halt.signal.reason).toMatchObject({ why: "deadline", message: "too late" });
  });

  it("throws the reason of the signal", () => {
    const halt = new Halt();
    halt.throwIfOver();
    halt.stop("cancelled", "nobody wants it");
    expect(() => halt.throwIfOver()).toThrow(halt.signal.reason);
    expect(halt.isOver).toBe(true);
  });
});
