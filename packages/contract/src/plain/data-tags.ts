/** Tags of google.protobuf.Struct and of what is in it: the number of the field, then how it is written. */
export const dataTags = {
  entry: 0o12,
  key: 0o12,
  value: 0o22,
  item: 0o12,
  null: 0o10,
  number: 0o21,
  text: 0o32,
  bool: 0o40,
  object: 0o52,
  list: 0o62,
} as const;
