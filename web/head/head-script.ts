// The only inline script of a page: the source of functions that run before anything else loads.

import { recordEarlyInput } from './early-input.ts'
import { foldComments, UNFOLD_BUTTON_ID, WHOLE_COMMENT_LINES } from './fold-comments.ts'
import { loadAppOnInteraction } from './load-app-on-interaction.ts'
import { DEFERRED_FONTS, loadDeferredFonts } from './load-fonts.ts'
import { DATE_FORMAT, DATE_LANGUAGE_KEY, showLocalDates, TIME_FORMAT } from './localise-dates.ts'
import {
  closeDetailsOnEscape,
  DRAFT_KEY_PREFIX,
  EMBED_KEY_PREFIX,
  followSkipLinks,
  handleMediaPresses,
  MEDIA_PRESS,
  markSharing,
  markStored,
  PLAYER_FRAME,
} from './page-scripts.ts'
import { applyStoredPreferences, STORED_PREFERENCES } from './stored-preferences.ts'

/** For pages that allow the script by a nonce and whose head preloads the fonts. */
export const HEAD_SCRIPT_WITHOUT_FONTS = [
  toScript(applyStoredPreferences, STORED_PREFERENCES),
  toScript(handleMediaPresses, PLAYER_FRAME, MEDIA_PRESS),
  toScript(recordEarlyInput),
  toScript(followSkipLinks),
  toScript(showLocalDates, DATE_FORMAT, TIME_FORMAT, DATE_LANGUAGE_KEY),
  toScript(closeDetailsOnEscape),
  toScript(foldComments, WHOLE_COMMENT_LINES, UNFOLD_BUTTON_ID),
  toScript(markStored, DRAFT_KEY_PREFIX, EMBED_KEY_PREFIX),
  toScript(markSharing),
  toScript(loadAppOnInteraction),
].join(';')

/** A constant: the content security policy allows exactly this text, by its hash or a nonce. */
export const HEAD_SCRIPT = `${toScript(loadDeferredFonts, DEFERRED_FONTS)};${HEAD_SCRIPT_WITHOUT_FONTS}`

/**
 * @param run may use only its arguments, its own declarations and the globals of a browser: nothing
 *   else of its module is sent
 * @param values JSON values
 * @returns script text that calls the function
 */
export function toScript<Values extends unknown[]>(
  run: (...values: Values) => void,
  ...values: Values
): string {
  return `(${run})(${values.map((value) => JSON.stringify(value)).join()})`
}
