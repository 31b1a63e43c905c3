// What the pages of an exported site do in place of the app (web/static-site.ts): the switches of
// the theme and of the bottom bar.
import { BOTTOM_BAR_KEY, THEME_KEY } from './stored-preferences.ts'

export type SwitchOptions = {
  themeKey: string
  bottomBarKey: string
  /** The colours of the browser's own bars. */
  background: { dark: string; light: string }
}

export const SWITCH_KEYS = { themeKey: THEME_KEY, bottomBarKey: BOTTOM_BAR_KEY }

/** Runs in the head. */
export function runSwitches({ themeKey, bottomBarKey, background }: SwitchOptions): void {
  const root = document.documentElement
  const lightSystem = matchMedia('(prefers-color-scheme: light)')
  const isLight = () =>
    root.dataset.theme === 'light' || (root.dataset.theme === 'system' && lightSystem.matches)
  function store(key: string, value: string) {
    try {
      localStorage.setItem(key, value)
    } catch {
      // Storage is blocked: the choice is for this page only.
    }
  }
  function setMeta(name: string, content: string) {
    document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.setAttribute('content', content)
  }
  function chooseTheme(theme: string) {
    root.dataset.theme = theme
    store(themeKey, theme)
    setMeta('color-scheme', theme === 'system' ? 'dark light' : theme)
    setMeta('theme-color', isLight() ? background.light : background.dark)
    const choice = document.querySelector<HTMLInputElement>(`[name=theme][value=${theme}]`)
    if (choice) choice.checked = true
  }
  function showBar() {
    const isHidden = root.dataset.bar === 'hidden'
    document.querySelector('button.logo')?.setAttribute('aria-expanded', String(!isHidden))
    const bar = document.querySelector<HTMLElement>('.bottom-bar')
    if (bar) bar.inert = isHidden
  }
  addEventListener('DOMContentLoaded', showBar)
  addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'theme') chooseTheme(target.value)
  })
  addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    if (button?.matches('.theme-button')) chooseTheme(isLight() ? 'dark' : 'light')
    if (!button?.matches('.logo')) return
    if (root.dataset.bar === 'hidden') delete root.dataset.bar
    else root.dataset.bar = 'hidden'
    store(bottomBarKey, root.dataset.bar ?? 'shown')
    showBar()
  })
}
