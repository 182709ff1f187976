/** The version of this contract: `protocol_version.schema_version` of every message we write. */
export const schemaVersion = "1.2.0";
