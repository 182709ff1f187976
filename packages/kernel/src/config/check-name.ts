import { whyNoName } from "../names.ts";
import type { Reading } from "./reading.ts";

/** A name that people have to read and type; what could not be read has been complained of. */
export function checkName(place: Reading, text = ""): void {
  const why = whyNoName(text);
  if (why !== undefined) place.object(why, "use up to 256 characters that can be seen");
}
