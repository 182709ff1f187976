export interface UploadSettings {
  /** Bytes of one upload. */
  readonly maxBytes: number;
  /** Bytes of all uploads of a tenant. */
  readonly tenantBytes: number;
  /** Contents of a tenant. */
  readonly tenantUploads: number;
  /** How long an upload stays after it was last uploaded. */
  readonly keepMs: number;
  /** How long a signed address is valid. */
  readonly linkMs: number;
}

const mebibyte = 1024 ** 2;
const hour = 60 * 60 * 1_000;

export const defaultUploadSettings: UploadSettings = {
  maxBytes: 64 * mebibyte,
  tenantBytes: 1024 * mebibyte,
  tenantUploads: 10_000,
  keepMs: 30 * 24 * hour,
  linkMs: 24 * hour,
};

export const uploadLimits = {
  /** Characters of a media type. */
  mediaTypeChars: 127,
  /** Plain bytes that are encrypted together. */
  chunkBytes: 65_536,
} as const;
