import { RegisterAgentRequestSchema, SendHeartbeatRequestSchema } from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ada,
  ended,
  helloOf,
  planOf,
  reaches,
  refusalOf,
  submit,
  TestAgent,
  testHub,
} from "../../testing/index.ts";

const bad: readonly (readonly [what: string, text: string, message: string])[] = [
  ["a line break", "a\nb", "has a character in it that cannot be seen"],
  ["an end of line", "a\u2028b", "has a character in it that cannot be seen"],
  ["a zero", "a\0b", "has a character in it that cannot be seen"],
  ["an escape", "a\u001b[31mb", "has a character in it that cannot be seen"],
  ["a control of the second kind", "a\u0085b", "has a character in it that cannot be seen"],
  ["a turn of the text", "a\u202eb", "has a character in it that cannot be seen"],
  ["a blank before it", " a", "begins or ends with a blank"],
  ["a blank behind it", "a ", "begins or ends with a blank"],
  ["ten thousand characters", "a".repeat(10_000), "has 10000 characters, and a name has 256 at the most"],
];

describe("an id", () => {
  it.each(bad)(
    "[CON-03] of a task, a stage or a type with %s is refused with its position",
    async (_, text, message) => {
      const hub = await testHub();
      const refuse = async (init: Parameters<typeof submit>[1]) => {
        const { kind, code, violations } = await refusalOf(submit(hub, init));
        expect([kind, code]).toEqual(["invalid", "BATON-SUBMIT-003"]);
        return violations.map(({ field, message }) => `${field} ${message}`);
      };
      const contract = { taskId: text, title: "Do it", acceptanceCriteria: ["it is done"] };
      expect(await refuse({ contract })).toEqual([`contract.task_id ${message}`]);
      expect(await refuse({ plan: { case: "taskType", value: text } })).toEqual([`task_type ${message}`]);
      expect(await refuse({ plan: planOf(stages({ a: {}, [text]: { taskType: text } })) })).toEqual([
        `pipeline.stages[1].stage_id ${message}`,
        `pipeline.stages[1].task_type ${message}`,
      ]);
      expect(await refuse({ idempotencyKey: text })).toEqual([`idempotency_key ${message}`]);
      await hub.drain(0);
    },
  );

  it.each(bad)("[CON-03] [DIS-02] of a pack or an instance with %s is refused", async (_, text) => {
    const hub = await testHub();
    const { message } = helloOf({ packId: "dev" });
    const { manifest, heartbeat } = message.case === "hello" ? message.value : {};
    if (!manifest || !heartbeat) throw new Error("a hello has both");
    const register = (changed: object) =>
      refusalOf(
        hub.registerAgent(ada, create(RegisterAgentRequestSchema, { manifest: { ...manifest, ...changed } })),
      );
    expect((await register({ packId: text })).code).toMatch(/^BATON-FLEET-00[16]$/);
    expect((await register({ supportedTaskTypes: ["fine", text] })).code).toMatch(/^BATON-FLEET-00[16]$/);
    await hub.registerAgent(ada, create(RegisterAgentRequestSchema, { manifest }));
    const beat = create(SendHeartbeatRequestSchema, { heartbeat: { ...heartbeat, instanceId: text } });
    expect((await refusalOf(hub.sendHeartbeat(ada, beat))).code).toMatch(/^BATON-FLEET-00[16]$/);
    const agent = new TestAgent(hub, { packId: "dev", instanceId: text });
    await expect(agent.ended).rejects.toMatchObject({ code: expect.stringMatching(/^BATON-FLEET-00[16]$/) });
    await hub.drain(0);
  });

  it("[CON-03] may be of any script, with blanks, slashes and signs in it", async () => {
    const hub = await testHub();
    const name = 'Größe / ログ — "1" 👩🏽‍💻 #%';
    const agent = new TestAgent(hub, { packId: "dev", instanceId: `${name} 1` });
    await agent.receive("welcome");
    const contract = { taskId: name, title: "Do it", acceptanceCriteria: ["it is done"] };
    const id = await submit(hub, { contract, idempotencyKey: name, plan: planOf(stages({ [name]: {} })) });
    const { stages: listed } = await reaches(hub, id, ...ended);
    expect(listed[0]).toMatchObject({ stageId: name, assignedInstanceId: `${name} 1` });
    await hub.drain(0);
  });
});
