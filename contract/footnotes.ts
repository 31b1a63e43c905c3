// The footnotes of a post's text (api.md §10.4): a mark leads to its note by a key.

/** The key of a footnote, as the source of a pattern. */
export const FOOTNOTE_KEY = '[a-z0-9-]{1,40}'
