export { openMemoryStore } from "./memory/memory-store.ts";
export { openTextCipher } from "./sqlite/crypto/text-cipher.ts";
export { backupSqlite } from "./sqlite/maintenance/backup.ts";
export { checkSqlite, findSqliteFaults } from "./sqlite/maintenance/check.ts";
export { openSqliteStore, type SqliteOptions } from "./sqlite/open.ts";
