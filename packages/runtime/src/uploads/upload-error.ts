export type UploadErrorCode =
  | "BATON-UPLOAD-001"
  | "BATON-UPLOAD-002"
  | "BATON-UPLOAD-003"
  | "BATON-UPLOAD-004"
  | "BATON-UPLOAD-005";

/** An upload or an address that is refused. */
export class UploadError extends Error {
  override readonly name = "UploadError";
  readonly code: UploadErrorCode;
  readonly fix: string;

  constructor(code: UploadErrorCode, message: string, fix: string) {
    super(message);
    this.code = code;
    this.fix = fix;
  }
}
