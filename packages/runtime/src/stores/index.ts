export { openMemoryStore } from "./memory/memory-store.ts";
export { backupSqlite } from "./sqlite/backup.ts";
export { checkSqlite, findSqliteFaults } from "./sqlite/check.ts";
export { openSqliteStore, type SqliteOptions } from "./sqlite/open.ts";
export { sealBeside } from "./sqlite/sealing/text-seal.ts";
