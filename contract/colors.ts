// Colours used outside the style sheets. The same values are in
// web/styles/tokens.css; test/styles.test.ts compares them.

/**
 * The page's background (`--bg`) by theme, as sRGB `#rrggbb`: for the bars of the browser and for
 * the site as an app on a home screen, which do not all know oklch.
 */
export const PAGE_BACKGROUND = { dark: '#091a1f', light: '#f6fafa' } as const
