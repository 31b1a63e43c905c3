/** The place under the header for what a page says of itself while it is open. */
export const LIVE_STRIPS_ID = 'live-strips'
