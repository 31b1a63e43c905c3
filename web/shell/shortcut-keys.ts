// Which key presses are shortcuts: single letters outside of fields, alone or as a pair. Knows
// nothing of what they do.

/** What a shortcut does. */
export type ShortcutName = 'help' | 'feed' | 'dashboard' | 'newPost' | 'like' | 'search'

/** In the order in which they are listed; keys of a pair come one after the other. */
export const SHORTCUTS: readonly { name: ShortcutName; keys: readonly [string, ...string[]] }[] = [
  { name: 'feed', keys: ['g', 'f'] },
  { name: 'dashboard', keys: ['g', 'd'] },
  { name: 'newPost', keys: ['n'] },
  { name: 'like', keys: ['l'] },
  { name: 'search', keys: ['/'] },
  { name: 'help', keys: ['?'] },
]

/** The second key of a pair must come within this time. */
const PAIR_MS = 1500
/**
 * Where letters are typed or have a meaning of their own. A closed dialog keeps the focus until the
 * next frame.
 */
const FIELDS =
  'input:not([type=radio], [type=checkbox], [type=button], [type=submit]), textarea, select, [contenteditable], [role^=menu], [role=toolbar], iframe, dialog[open]'

export type KeyPress = Pick<
  KeyboardEvent,
  | 'key'
  | 'ctrlKey'
  | 'metaKey'
  | 'altKey'
  | 'isComposing'
  | 'repeat'
  | 'defaultPrevented'
  | 'timeStamp'
>

/**
 * Whether a press may be a shortcut at all: no other key is held, and it is not typed into
 * something.
 */
export function isShortcutPress(
  press: KeyPress,
  target: { closest(selector: string): unknown } | null,
): boolean {
  if (
    press.defaultPrevented ||
    press.ctrlKey ||
    press.metaKey ||
    press.altKey ||
    press.isComposing ||
    press.repeat
  )
    return false
  return press.key.length === 1 && !target?.closest(FIELDS)
}

/**
 * @returns a function that takes each press, remembers the first key of a pair, and answers the
 *   shortcut that the press completes
 */
export function makeShortcutReader(): (
  press: Pick<KeyPress, 'key' | 'timeStamp'>,
) => ShortcutName | undefined {
  let first: { key: string; atMs: number } | undefined
  return ({ key, timeStamp }) => {
    const before = first && timeStamp - first.atMs <= PAIR_MS ? first.key : undefined
    const found = SHORTCUTS.find(({ keys }) =>
      before ? keys[0] === before && keys[1] === key : keys.length === 1 && keys[0] === key,
    )
    const isFirst = !before && SHORTCUTS.some(({ keys }) => keys.length > 1 && keys[0] === key)
    first = isFirst ? { key, atMs: timeStamp } : undefined
    return found?.name
  }
}
