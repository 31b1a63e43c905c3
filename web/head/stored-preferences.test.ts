// The function runs as text in the head of a page, so the tests run it as text, too.
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { toScript } from './head-script.ts'
import { applyStoredPreferences, STORED_PREFERENCES } from './stored-preferences.ts'

type Page = {
  data: Record<string, string>
  metas: Record<string, string>
  /** Selectors of the inputs that are checked once the page is parsed. */
  checked: string[]
}

type Environment = { prefersLight?: boolean; prefs?: Record<string, unknown> }

/** @param environment `prefs` are those of the account on a page for all members */
function run(
  stored: Record<string, string> | 'blocked',
  { prefersLight = false, prefs }: Environment = {},
): Page {
  const data: Record<string, string> = { theme: 'dark' }
  const metas: Record<string, string> = {}
  const checked: string[] = []
  const whenParsed: (() => void)[] = []
  const localStorage = {
    getItem(key: string) {
      if (stored === 'blocked') throw new Error('storage is blocked')
      return stored[key] ?? null
    },
  }
  const document = {
    documentElement: { dataset: data },
    getElementById: (id: string) =>
      prefs && id === STORED_PREFERENCES.viewerDataId
        ? { textContent: JSON.stringify({ account: { prefs } }) }
        : null,
    querySelector: (selector: string) => ({
      set content(value: string) {
        metas[selector] = value
      },
      set checked(_value: true) {
        checked.push(selector)
      },
    }),
    addEventListener: (_name: string, handler: () => void) => whenParsed.push(handler),
  }
  runInNewContext(toScript(applyStoredPreferences, STORED_PREFERENCES), {
    document,
    localStorage,
    matchMedia: () => ({ matches: prefersLight }),
  })
  for (const handler of whenParsed) handler()
  return { data, metas, checked }
}

const SCHEME = 'meta[name=color-scheme]'
const BARS = 'meta[name=theme-color]'

describe('before the first paint', () => {
  test('a device without stored preferences is dark and shows its bottom bar', () => {
    expect(run({})).toEqual({ data: { theme: 'dark' }, metas: {}, checked: [] })
  })

  test("on a page for all members, the account's theme takes precedence over the device's", () => {
    const prefs = { theme: 'light', bottomBar: 'hidden' }
    expect(run({ theme: 'dark' }, { prefs }).data).toEqual({ theme: 'light', bar: 'hidden' })
    expect(run({ bottomBar: 'shown' }, { prefs }).data).toEqual({ theme: 'light' })
    const invalid = { theme: { toString: 1 }, bottomBar: 5 }
    expect(run({ theme: 'system' }, { prefs: invalid }).data).toEqual({ theme: 'system' })
  })

  test.each([
    { theme: 'dark', prefersLight: true, metas: { [SCHEME]: 'dark' } },
    { theme: 'light', prefersLight: false, metas: { [SCHEME]: 'light', [BARS]: '#f6fafa' } },
    { theme: 'system', prefersLight: false, metas: { [SCHEME]: 'dark light' } },
    { theme: 'system', prefersLight: true, metas: { [SCHEME]: 'dark light', [BARS]: '#f6fafa' } },
  ])(
    'the stored theme $theme is applied (the system prefers light: $prefersLight)',
    ({ theme, prefersLight, metas }) => {
      const checked = [`[name=theme][value=${theme}]`]
      expect(run({ theme }, { prefersLight })).toEqual({ data: { theme }, metas, checked })
    },
  )

  test('a hidden bottom bar stays hidden', () => {
    expect(run({ bottomBar: 'hidden' }).data).toEqual({ theme: 'dark', bar: 'hidden' })
  })

  test('any other value in the storage is ignored', () => {
    expect(run({ theme: '"><script>', bottomBar: 'shown' })).toEqual({
      data: { theme: 'dark' },
      metas: {},
      checked: [],
    })
  })

  test('blocked storage breaks nothing', () => {
    expect(run('blocked').data).toEqual({ theme: 'dark' })
  })
})
