// Which key presses are shortcuts, and which are typed text.
import { expect, test } from 'vitest'
import { isShortcutPress, type KeyPress, makeShortcutReader } from './shortcuts.tsx'

const PLAIN: KeyPress = {
  key: 'n',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  repeat: false,
  defaultPrevented: false,
  timeStamp: 0,
}
const outside = { closest: () => null }
const inField = { closest: () => ({}) }

test.each<{ keys: [string, number][]; name: string | undefined }>([
  { keys: [['?', 0]], name: 'help' },
  { keys: [['n', 0]], name: 'newPost' },
  { keys: [['l', 0]], name: 'like' },
  {
    keys: [
      ['g', 0],
      ['f', 300],
    ],
    name: 'feed',
  },
  {
    keys: [
      ['g', 0],
      ['d', 1400],
    ],
    name: 'dashboard',
  },
  {
    keys: [
      ['g', 0],
      ['d', 1600],
    ],
    name: undefined,
  },
  {
    keys: [
      ['g', 0],
      ['n', 300],
    ],
    name: 'notifications',
  },
  {
    keys: [
      ['g', 0],
      ['x', 300],
      ['f', 600],
    ],
    name: undefined,
  },
  { keys: [['f', 0]], name: undefined },
  { keys: [['N', 0]], name: undefined },
])('$keys is $name', ({ keys, name }) => {
  const read = makeShortcutReader()
  expect(keys.map(([key, timeStamp]) => read({ key, timeStamp })).at(-1)).toBe(name)
})

test('a single letter is a shortcut, but not in a field, with a modifier, or repeated', () => {
  expect(isShortcutPress(PLAIN, outside)).toBe(true)
  expect(isShortcutPress(PLAIN, null)).toBe(true)
  expect(isShortcutPress(PLAIN, inField)).toBe(false)
  for (const held of [
    'ctrlKey',
    'metaKey',
    'altKey',
    'isComposing',
    'repeat',
    'defaultPrevented',
  ] as const) {
    expect(isShortcutPress({ ...PLAIN, [held]: true }, outside), held).toBe(false)
  }
  expect(isShortcutPress({ ...PLAIN, key: 'Enter' }, outside)).toBe(false)
})
