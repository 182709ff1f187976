/** Common folders and names of tests, in common languages. */
const folders = /(^|\/)(tests?|__tests__|specs?|e2e|testdata|fixtures|__snapshots__)\//i;
const names =
  /(^|\/)(test_[^/]*|conftest|[^/]*([._-](test|tests|spec|e2e)|Tests?|Spec))\.[^/.]+$|\.(snap|feature)$/;

/** Whether a path looks like a test. Changed tests may hide that the work is wrong. */
export function isTestFile(path: string): boolean {
  return folders.test(path) || names.test(path);
}
