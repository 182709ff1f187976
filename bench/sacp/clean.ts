/** What reading an answer costs that is JSON and nothing else, beside JSON.parse. */
import { readResponse } from "@baton/protocols/sacp";
import { bound, compare, printTable } from "../measure.ts";
import { sentence } from "./texts.ts";

/** The aim of SACP's reader. */
export const allowedRatio = 1.5;

const answers: Readonly<Record<string, object>> = {
  "a short answer": { temp: 15, city: "London" },
  "a text of 4 KiB": { report: sentence.repeat(40) },
  "a list of 100 objects": {
    items: Array.from({ length: 100 }, (_, n) => ({
      id: n,
      name: `item ${n}`,
      price: n * 1.25,
      tags: ["a", "b"],
    })),
  },
  "numbers only": { values: Array.from({ length: 1_000 }, (_, n) => n * 7) },
};

export function benchClean(): void {
  console.log(`reading clean JSON, beside JSON.parse; at most ${allowedRatio} times\n`);
  const rows = Object.entries(answers).map(([name, data]) => {
    const text = JSON.stringify({ thought: sentence, status: "success", data, message: sentence });
    const cost = compare(
      () => readResponse(text),
      () => JSON.parse(text),
    );
    bound(`${name}: times JSON.parse`, cost.ratio, allowedRatio);
    return {
      answer: name,
      characters: text.length,
      µs: (cost.ns / 1_000).toFixed(2),
      "µs of JSON.parse": (cost.floorNs / 1_000).toFixed(2),
      times: cost.ratio.toFixed(2),
    };
  });
  printTable(rows);
}
