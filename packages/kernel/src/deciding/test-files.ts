/** Folders and names that tests usually have, in the languages that agents are asked to write. */
const folders = /(^|\/)(tests?|__tests__|specs?|e2e|testdata|fixtures|__snapshots__)\//i;
const names =
  /(^|\/)(test_[^/]*|conftest|[^/]*([._-](test|tests|spec|e2e)|Tests?|Spec))\.[^/.]+$|\.(snap|feature)$/;

/** Whether a path is one that tests usually have. A change of tests may hide that the work does not do what it should. */
export function isTestFile(path: string): boolean {
  return folders.test(path) || names.test(path);
}
