/** `npm run setup`: `run.mjs` has installed the dependencies by the time this runs. */
console.log("baton: dependencies are installed");
