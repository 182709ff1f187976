/** Upload and download of binary content outside of a task. */
export { fromBinary, toBinary, type UploadClient } from "./binary.ts";
export { hubUploads } from "./hub-uploads.ts";
