// How long tests without a browser wait for a thing.

/** For what comes a moment later: looked for often, and given up only where it never comes. */
export const PATIENT = { timeout: 30_000, interval: 4 }
