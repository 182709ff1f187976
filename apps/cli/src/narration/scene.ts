import { type Beat, heading, type Told } from "./beat.ts";

/** Which stage is being told of: where stages run side by side, a heading says when it is another one again. */
export class Scene {
  #stageId = "";

  show({ beat, stageId }: Told): readonly Beat[] {
    const isSame = stageId === "" || stageId === this.#stageId;
    if (stageId !== "") this.#stageId = stageId;
    return isSame || beat.kind === "heading" ? [beat] : [heading(stageId), beat];
  }
}
