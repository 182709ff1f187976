import type { RecordFault } from "./walk-record.ts";

/** A record is not what was stored. Nothing of it is signed any more. */
export class RecordDamaged extends Error {
  override readonly name = "RecordDamaged";
  readonly tenantId: string;
  readonly fault: RecordFault;

  constructor(tenantId: string, fault: RecordFault) {
    super(`the audit record of "${tenantId}" is damaged: ${fault.problem}`);
    this.tenantId = tenantId;
    this.fault = fault;
  }
}
