// The choices of this device: the theme and whether the bottom bar is shown, which live on <html>
// and in localStorage, so the page is right before anything has loaded; and the keyboard shortcuts.
// Knows nothing of accounts: use-device-choices.ts does.

export const THEMES = ['dark', 'light', 'system'] as const
export type Theme = (typeof THEMES)[number]
export type BottomBar = 'shown' | 'hidden'

const THEME_KEY = 'theme'
const BAR_KEY = 'bottomBar'
const SHORTCUTS_KEY = 'shortcuts'

/** Runs in the head before the first paint, after the two metas that it sets. */
export const THEME_SCRIPT =
  "try{var d=document,r=d.documentElement,m=function(n,v){d.querySelector('meta[name='+n+']').content=v},t=localStorage.getItem('theme');if(t==='dark'||t==='light'||t==='system'){r.dataset.theme=t;m('color-scheme',t==='system'?'dark light':t);if(t==='light'||t==='system'&&matchMedia('(prefers-color-scheme:light)').matches)m('theme-color','#f6fafa')}if(localStorage.getItem('bottomBar')==='hidden')r.dataset.bar='hidden'}catch(e){}"

/** The colour of the browser's own bars; the values of --bg. */
const GROUND = { dark: '#091a1f', light: '#f6fafa' }

export function isTheme(value: unknown): value is Theme {
  return THEMES.some((theme) => theme === value)
}

export function readTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return isTheme(theme) ? theme : 'dark'
}

export function readBottomBar(): BottomBar {
  return document.documentElement.dataset.bar === 'hidden' ? 'hidden' : 'shown'
}

/** Whether this device has a choice of its own, so that the account's does not replace it. */
export function hasOwnBottomBar(): boolean {
  return stored(BAR_KEY) !== null
}

/**
 * Shows the theme and remembers it on this device. Colours change at once: nothing fades through
 * the wrong theme.
 */
export function setTheme(theme: Theme): void {
  const root = document.documentElement
  root.classList.add('no-transitions')
  root.dataset.theme = theme
  store(THEME_KEY, theme)
  paintBrowserBars()
  requestAnimationFrame(() => requestAnimationFrame(() => root.classList.remove('no-transitions')))
  tell()
}

export function setBottomBar(bar: BottomBar): void {
  if (bar === 'hidden') document.documentElement.dataset.bar = bar
  else delete document.documentElement.dataset.bar
  store(BAR_KEY, bar)
  tell()
}

export function areShortcutsOn(): boolean {
  return stored(SHORTCUTS_KEY) !== 'off'
}

export function setShortcuts(choice: 'on' | 'off'): void {
  store(SHORTCUTS_KEY, choice)
  tell()
}

/** Gives the browser's own bars the colour of the page. */
export function paintBrowserBars(): void {
  const isLight =
    readTheme() === 'light' ||
    (readTheme() === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
  document
    .querySelector('meta[name=theme-color]')
    ?.setAttribute('content', isLight ? GROUND.light : GROUND.dark)
}

const listeners = new Set<() => void>()

/** @returns how to stop listening */
export function onDeviceChoice(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}

// Storage may be forbidden: then the choice lasts as long as the page.
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // @note nothing to tell the person: the choice is visible, only not kept
  }
}
