// Names, titles and other single lines that somebody must be able to see, and that must not turn
// the text around them.

/**
 * Nobody sees these alone: spaces, controls, joiners, fillers, selectors, blank Braille, and marks
 * without a letter.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\u2800\u{1d159}]+/gu
/** Embeddings, overrides and isolates: they would go on behind the text. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]+/g
const DIRECTION_MARK = /[\u061c\u200e\u200f]/

/** Whether anything of the text is seen. */
export function isVisible(text: string): boolean {
  return text.replace(UNSEEN, '') !== ''
}

/** A line as it is stored: without spaces around it and without signs that turn what follows. */
export function cleanLine(text: string): string {
  return withoutBidiControls(text).trim()
}

export function withoutBidiControls(text: string): string {
  return text.replace(TURNS, '')
}

/** For a place where other words follow and no element keeps them apart. */
export function isolateBidi(text: string): string {
  const plain = withoutBidiControls(text)
  return DIRECTION_MARK.test(plain) ? `\u2068${plain}\u2069` : plain
}
