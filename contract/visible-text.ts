// Checks and cleans names, titles and other single lines: they must be visible, and must not
// reverse the text around them.

/**
 * Invisible when alone: spaces, controls, joiners, fillers, selectors, blank Braille, and marks
 * without a letter.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\u2800\u{1d159}]+/gu
/** Bidirectional embeddings, overrides and isolates: they would affect the text that follows. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]+/g
const DIRECTION_MARK = /[\u061c\u200e\u200f]/

/** Whether the text has a visible character. */
export function isVisible(text: string): boolean {
  return text.replace(UNSEEN, '') !== ''
}

/** The stored form of a line: trimmed, without bidirectional controls. */
export function cleanLine(text: string): string {
  return withoutBidiControls(text).trim()
}

export function withoutBidiControls(text: string): string {
  return text.replace(BIDI_CONTROLS, '')
}

/** Keeps direction marks in a plain text from affecting the text that follows it. */
export function isolateBidi(text: string): string {
  const plain = withoutBidiControls(text)
  return DIRECTION_MARK.test(plain) ? `\u2068${plain}\u2069` : plain
}
