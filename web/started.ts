// When the app has taken over the page. Known to whoever starts it and whoever waits for it, and to nobody else.

const { promise, resolve } = Promise.withResolvers<void>()

/** Resolves once the page answers to presses. */
export const started = promise

export const markStarted: () => void = resolve
