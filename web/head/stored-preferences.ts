// The theme and the bottom bar as this device stored them, or as the account of a signed-in person
// has them: shown before the first paint, so that nothing flashes or jumps. What changes them later
// is web/shell/device-preferences.ts.
import type { Prefs } from '#contract/accounts.ts'
import { PAGE_BACKGROUND } from '#contract/colors.ts'
import { VIEWER_DATA_ELEMENT_ID } from '#contract/pages.ts'

export const THEMES = ['dark', 'light', 'system'] as const
export type Theme = (typeof THEMES)[number]
export const THEME_KEY = 'theme'
/** The cookie that tells the server the theme of this device. */
export const THEME_COOKIE = 'blog_theme'
export const BOTTOM_BAR_KEY = 'bottomBar'

export function isTheme(value: unknown): value is Theme {
  return THEMES.some((theme) => theme === value)
}

export type StoredPreferences = {
  themes: readonly string[]
  themeKey: string
  bottomBarKey: string
  lightBarColor: string
  viewerDataId: string
}

export const STORED_PREFERENCES: StoredPreferences = {
  themes: THEMES,
  themeKey: THEME_KEY,
  bottomBarKey: BOTTOM_BAR_KEY,
  lightBarColor: PAGE_BACKGROUND.light,
  viewerDataId: VIEWER_DATA_ELEMENT_ID,
}

/**
 * Runs in the head (head-script.ts), after the two metas that it sets. `data-chosen` of <html> says
 * that the theme is the account's, which goes before the device's; on pages that are for all
 * members the account is in an element before this script. The footer shows the theme as
 * soon as it is there: the app, which would do that, may wait for long
 * (load-app-on-interaction.ts).
 */
export function applyStoredPreferences({
  themes,
  themeKey,
  bottomBarKey,
  lightBarColor,
  viewerDataId,
}: StoredPreferences): void {
  function setMeta(name: string, content: string) {
    const meta = document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)
    if (meta) meta.content = content
  }
  try {
    const root = document.documentElement
    const viewer = document.getElementById(viewerDataId)?.textContent
    const prefs: Prefs = viewer ? JSON.parse(viewer).account.prefs : {}
    const chosen = 'chosen' in root.dataset ? root.dataset.theme : prefs.theme
    const theme = themes.find((one) => one === chosen) ?? localStorage.getItem(themeKey)
    if (theme && themes.includes(theme)) {
      const isSystem = theme === 'system'
      root.dataset.theme = theme
      setMeta('color-scheme', isSystem ? 'dark light' : theme)
      if (theme === 'light' || (isSystem && matchMedia('(prefers-color-scheme:light)').matches))
        setMeta('theme-color', lightBarColor)
      document.addEventListener(
        'readystatechange',
        () => {
          const choice = document.querySelector<HTMLInputElement>(`[name=theme][value=${theme}]`)
          if (choice) choice.checked = true
        },
        { once: true },
      )
    }
    const bar = localStorage.getItem(bottomBarKey) ?? prefs.bottomBar
    if (bar === 'hidden') root.dataset.bar = bar
    else if (bar) delete root.dataset.bar
  } catch {
    // Storage is forbidden: the page stays as the server sent it.
  }
}
