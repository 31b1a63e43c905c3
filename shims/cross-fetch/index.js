// Replaces cross-fetch by the platform's fetch, or the in-process dispatcher while a page is
// rendered. `appwrite` would otherwise use XMLHttpRequest in browsers and a fetch copy in Node
// (docs/decisions/0002).
export const fetch = (input, init) => (globalThis.__dispatch ?? globalThis.fetch)(input, init)
export default fetch
