/** The version of this contract, as it stands in `protocol_version.schema_version` of every message we write. */
export const schemaVersion = "1.2.0";
