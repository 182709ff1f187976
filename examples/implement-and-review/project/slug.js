/**
 * The part of an address that names a page: "Hello World" is "hello-world".
 * @param {string} _title
 * @returns {string}
 */
export function slugify(_title) {
  throw new Error("not written yet");
}
