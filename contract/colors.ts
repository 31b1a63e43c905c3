// Colours used outside the style sheets. The same values are in
// web/styles/tokens.css; test/styles.test.ts compares them.

/**
 * The page's background (`--bg`) by theme, as sRGB `#rrggbb`: for browser toolbars and the
 * installed app, not all of which support oklch.
 */
export const PAGE_BACKGROUND = { dark: '#091a1f', light: '#f6fafa' } as const
