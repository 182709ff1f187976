import { sentence } from "./texts.ts";

const text = JSON.stringify({ thought: sentence, status: "success", data: { temp: 15 }, message: sentence });

/** An answer in the protocol, in 20 pieces. */
export const answerPieces: readonly string[] = Array.from({ length: 20 }, (_, at) =>
  text.slice(Math.floor((at * text.length) / 20), Math.floor(((at + 1) * text.length) / 20)),
);
