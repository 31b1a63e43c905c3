// Whether a key press belongs to an input method, such as one for Japanese.

/** The `keyCode` of every press that an input method handles. */
const COMPOSITION_KEY_CODE = 229

/** Safari ends a composition before it reports the key that ended it. */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return event.isComposing || event.keyCode === COMPOSITION_KEY_CODE
}
