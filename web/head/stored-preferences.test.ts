// Runs as text in the head of a page, so it is run as text here.
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { toScript } from './head-script.ts'
import { applyStoredPreferences, STORED_PREFERENCES } from './stored-preferences.ts'

type Page = {
  data: Record<string, string>
  metas: Record<string, string>
  /** Selectors of what is checked once the page is parsed. */
  checked: string[]
}

type Outside = { isLightOutside?: boolean; prefs?: Record<string, unknown> }

/** @param outside `prefs` are those of the account that a page for all members names */
function run(
  stored: Record<string, string> | 'forbidden',
  { isLightOutside = false, prefs }: Outside = {},
): Page {
  const data: Record<string, string> = { theme: 'dark' }
  const metas: Record<string, string> = {}
  const checked: string[] = []
  const whenParsed: (() => void)[] = []
  const localStorage = {
    getItem(key: string) {
      if (stored === 'forbidden') throw new Error('storage is forbidden')
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
    matchMedia: () => ({ matches: isLightOutside }),
  })
  for (const handler of whenParsed) handler()
  return { data, metas, checked }
}

const SCHEME = 'meta[name=color-scheme]'
const BARS = 'meta[name=theme-color]'

describe('before the first paint', () => {
  test('a device that never chose is dark and has its bottom bar', () => {
    expect(run({})).toEqual({ data: { theme: 'dark' }, metas: {}, checked: [] })
  })

  test('on a page for all members, the theme of the account goes before that of the device', () => {
    const prefs = { theme: 'light', bottomBar: 'hidden' }
    expect(run({ theme: 'dark' }, { prefs }).data).toEqual({ theme: 'light', bar: 'hidden' })
    expect(run({ bottomBar: 'shown' }, { prefs }).data).toEqual({ theme: 'light' })
    const odd = { theme: { toString: 1 }, bottomBar: 5 }
    expect(run({ theme: 'system' }, { prefs: odd }).data).toEqual({ theme: 'system' })
  })

  test.each([
    { theme: 'dark', isLightOutside: true, metas: { [SCHEME]: 'dark' } },
    { theme: 'light', isLightOutside: false, metas: { [SCHEME]: 'light', [BARS]: '#f6fafa' } },
    { theme: 'system', isLightOutside: false, metas: { [SCHEME]: 'dark light' } },
    { theme: 'system', isLightOutside: true, metas: { [SCHEME]: 'dark light', [BARS]: '#f6fafa' } },
  ])(
    'the theme $theme comes back (light outside: $isLightOutside)',
    ({ theme, isLightOutside, metas }) => {
      const checked = [`[name=theme][value=${theme}]`]
      expect(run({ theme }, { isLightOutside })).toEqual({ data: { theme }, metas, checked })
    },
  )

  test('a hidden bottom bar stays hidden', () => {
    expect(run({ bottomBar: 'hidden' }).data).toEqual({ theme: 'dark', bar: 'hidden' })
  })

  test('any other value in the storage is left alone', () => {
    expect(run({ theme: '"><script>', bottomBar: 'shown' })).toEqual({
      data: { theme: 'dark' },
      metas: {},
      checked: [],
    })
  })

  test('a forbidden storage breaks nothing', () => {
    expect(run('forbidden').data).toEqual({ theme: 'dark' })
  })
})
