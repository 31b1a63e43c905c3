// Whether a key press belongs to an input method, which does with it what it wants.

/** The code of every key that an input method takes. */
const TAKEN_KEY = 229

/** Safari ends a composition before it reports the key that ended it. */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return event.isComposing || event.keyCode === TAKEN_KEY
}
