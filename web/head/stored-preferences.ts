// Applies the theme and the bottom bar before the first paint, so that nothing flashes or jumps.
// Both are stored on this device or in the account of a signed-in user.
// web/shell/device-preferences.ts changes them later.
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
 * Runs in the head (head-script.ts), after the two <meta> elements that it sets. On pages with
 * `data-account-theme`, the theme of <html> is the account's, which takes precedence over the
 * device's; on pages for all members, an element before this script holds the account. It also sets
 * the theme switch in the footer: the app may be loaded much later (load-app-on-interaction.ts).
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
    const accountTheme = 'accountTheme' in root.dataset ? root.dataset.theme : prefs.theme
    const theme = themes.find((name) => name === accountTheme) ?? localStorage.getItem(themeKey)
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
    // Storage is blocked: the page stays as the server sent it.
  }
}
