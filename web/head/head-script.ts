// The one script inside the page: functions as text, run before anything else has loaded.

import { recordEarlyInput } from './early-input.ts'
import { foldComments, UNFOLD_BUTTON_ID, WHOLE_COMMENT_LINES } from './fold-comments.ts'
import { wake } from './load-app-on-interaction.ts'
import { bringFonts, LATER_FONTS } from './load-fonts.ts'
import { DATE_FORMAT, DATE_LANGUAGE_KEY, showLocalDates, TIME_FORMAT } from './localise-dates.ts'
import {
  closeDetails,
  followSkipLinks,
  KEPT_DRAFTS_PREFIX,
  loadPlayers,
  noteKeptDrafts,
  noteSharing,
  PLAYER_FRAME,
} from './page-scripts.ts'
import { STORED_CHOICES, showStoredChoices } from './stored-preferences.ts'

/** For pages that a nonce allows it on, and whose fonts are named in the head. */
export const HEAD_SCRIPT_WITHOUT_FONTS = [
  callText(showStoredChoices, STORED_CHOICES),
  callText(loadPlayers, PLAYER_FRAME),
  callText(recordEarlyInput),
  callText(followSkipLinks),
  callText(showLocalDates, DATE_FORMAT, TIME_FORMAT, DATE_LANGUAGE_KEY),
  callText(closeDetails),
  callText(foldComments, WHOLE_COMMENT_LINES, UNFOLD_BUTTON_ID),
  callText(noteKeptDrafts, KEPT_DRAFTS_PREFIX),
  callText(noteSharing),
  callText(wake),
].join(';')

/** A constant: its hash or nonce covers exactly this text. */
export const HEAD_SCRIPT = `${callText(bringFonts, LATER_FONTS)};${HEAD_SCRIPT_WITHOUT_FONTS}`

/**
 * @param run may use its arguments, what it declares itself and what a browser has: nothing of its
 *   module goes along
 * @param values JSON values
 */
export function callText<Values extends unknown[]>(
  run: (...values: Values) => void,
  ...values: Values
): string {
  return `(${run})(${values.map((value) => JSON.stringify(value)).join()})`
}
