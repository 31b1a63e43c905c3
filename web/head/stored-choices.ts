// The theme and the bottom bar as this device stored them: shown before the first paint, so that
// nothing flashes or jumps. What changes them later is web/shell/device-choices.ts.
import { PAGE_BACKGROUND } from '#contract/colors.ts'

export const THEMES = ['dark', 'light', 'system'] as const
export const THEME_KEY = 'theme'
export const BOTTOM_BAR_KEY = 'bottomBar'

export type StoredChoices = {
  themes: readonly string[]
  themeKey: string
  bottomBarKey: string
  lightBarColor: string
}

export const STORED_CHOICES: StoredChoices = {
  themes: THEMES,
  themeKey: THEME_KEY,
  bottomBarKey: BOTTOM_BAR_KEY,
  lightBarColor: PAGE_BACKGROUND.light,
}

/** Runs in the head (head-script.ts), after the two metas that it sets. */
export function showStoredChoices({
  themes,
  themeKey,
  bottomBarKey,
  lightBarColor,
}: StoredChoices): void {
  function setMeta(name: string, content: string) {
    const meta = document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)
    if (meta) meta.content = content
  }
  try {
    const root = document.documentElement
    const theme = localStorage.getItem(themeKey)
    if (theme && themes.includes(theme)) {
      const isSystem = theme === 'system'
      root.dataset.theme = theme
      setMeta('color-scheme', isSystem ? 'dark light' : theme)
      if (theme === 'light' || (isSystem && matchMedia('(prefers-color-scheme:light)').matches))
        setMeta('theme-color', lightBarColor)
    }
    if (localStorage.getItem(bottomBarKey) === 'hidden') root.dataset.bar = 'hidden'
  } catch {
    // Storage is forbidden: the page stays as the server sent it.
  }
}
