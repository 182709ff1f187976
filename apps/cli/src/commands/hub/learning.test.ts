import {
  Approval,
  ChangeHeuristicsResponseSchema,
  GiveFeedbackResponseSchema,
  LessonKind,
  ListLessonsResponseSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { startHub } from "../../../testing/hub-double.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { exitCode } from "../../exit-code.ts";

describe("[SAP-06] learning on the command line", () => {
  const asked: unknown[] = [];
  const start = () =>
    startHub({
      knowledge: {
        giveFeedback: (request) => {
          asked.push(request);
          const signal = { signalId: "s", pipelineId: request.pipelineId, rating: request.rating };
          return create(GiveFeedbackResponseSchema, { signal, lesson: { lessonId: "l-1" } });
        },
        listLessons: () =>
          create(ListLessonsResponseSchema, {
            lessons: [
              {
                lesson: { lessonId: "l-1", kind: LessonKind.PUNCH_CARD, text: "mind the units\u001b[2J" },
                withLessons: { count: 3, meanRating: 4.5 },
                withoutLessons: {},
              },
            ],
          }),
        withdrawLesson: (request) => {
          asked.push(request);
          return {};
        },
        changeHeuristics: (request) => {
          asked.push(request);
          const heuristics = { version: 2n, essence: request.essence ? [request.essence] : [] };
          return create(ChangeHeuristicsResponseSchema, { heuristics });
        },
      },
    });

  it("feedback sends what is stated, and refuses contradictions and ratings that are none", async () => {
    await using hub = await start();
    const given = [
      "feedback",
      "p-1",
      "--rating",
      "2",
      "--reject",
      "--note",
      "units",
      "--lesson",
      "punch-card",
    ];
    const { stdout } = await runBaton(given, { hub: hub.url });
    expect(asked.at(-1)).toMatchObject({
      ...{ pipelineId: "p-1", rating: 2, note: "units" },
      ...{ approval: Approval.REJECTED, lesson: LessonKind.PUNCH_CARD },
    });
    expect(stdout).toMatch(/lesson +l-1/);
    const both = await runBaton(["feedback", "p-1", "--approve", "--reject"], { hub: hub.url });
    expect(both.code).toBe(exitCode.usage);
    expect((await runBaton(["feedback", "p-1", "--rating", "6"], { hub: hub.url })).code).toBe(
      exitCode.usage,
    );
  });

  it("lessons list shows ratings with their counts, and withdraw needs a reason", async () => {
    await using hub = await start();
    const { stdout } = await runBaton(["lessons", "list"], { hub: hub.url, env: { COLUMNS: "160" } });
    expect(stdout).toMatch(/punch-card +mind the units.* 4\.5 \(3\) +none rated +l-1/);
    expect(stdout).not.toContain("\u001b[2J");
    expect((await runBaton(["lessons", "withdraw", "l-1"], { hub: hub.url })).code).toBe(exitCode.usage);
    await runBaton(["lessons", "withdraw", "l-1", "--reason", "wrong"], { hub: hub.url });
    expect(asked.at(-1)).toMatchObject({ lessonId: "l-1", reason: "wrong" });
  });

  it("heuristics change sends a rule of a capability and tools", async () => {
    await using hub = await start();
    const rule = ["--capability", "report.write", "--ignore", "/requestId", "--ignore", "/trace/id"];
    const { stdout } = await runBaton(
      ["heuristics", "change", ...rule, "--harmless-tool", "search", "--reason", "ids"],
      { hub: hub.url },
    );
    expect(asked.at(-1)).toMatchObject({
      essence: { capability: "report.write", pointers: ["/requestId", "/trace/id"] },
      harmlessTools: ["search"],
      reason: "ids",
    });
    expect(stdout).toMatch(/report\.write +ignores \/requestId, \/trace\/id/);
    const alone = await runBaton(["heuristics", "change", "--ignore", "/a", "--reason", "x"], {
      hub: hub.url,
    });
    expect(alone.code).toBe(exitCode.usage);
  });
});
