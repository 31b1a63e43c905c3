// The choices of this device: the theme and whether the bottom bar is shown, which are attributes
// of <html> and kept in localStorage, so that a script in the head shows them before the first
// paint; and the keyboard shortcuts. Knows nothing of accounts: use-device-choices.ts does.

import { PAGE_BACKGROUND } from '#contract/colors.ts'
import {
  BOTTOM_BAR_KEY,
  isTheme,
  THEME_COOKIE,
  THEME_KEY,
  type Theme,
} from '../head/stored-choices.ts'

/** Of the cookie that tells the server the theme of a device. */
const THEME_COOKIE_SECONDS = 365 * 24 * 60 * 60

export type BottomBar = 'shown' | 'hidden'

const SHORTCUTS_KEY = 'shortcuts'

export function getTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return isTheme(theme) ? theme : 'dark'
}

export function getBottomBar(): BottomBar {
  return document.documentElement.dataset.bar === 'hidden' ? 'hidden' : 'shown'
}

/**
 * Shows the theme and stores it on this device, and in a cookie for the server. Without
 * transitions, which would fade through colours of neither theme.
 */
export function setTheme(theme: Theme): void {
  const root = document.documentElement
  root.classList.add('no-transitions')
  root.dataset.theme = theme
  keepTheme(theme)
  updateThemeColor()
  requestAnimationFrame(() => requestAnimationFrame(() => root.classList.remove('no-transitions')))
  notify()
}

/**
 * Shows the theme that another tab of this browser stored, also to visitors.
 *
 * @returns ends it
 */
export function followOtherTabs(): () => void {
  function handleStorage({ key, newValue }: StorageEvent) {
    if (key === THEME_KEY && isTheme(newValue) && newValue !== getTheme()) setTheme(newValue)
  }
  window.addEventListener('storage', handleStorage)
  return () => window.removeEventListener('storage', handleStorage)
}

/** Keeps a theme that is shown already. */
export function keepTheme(theme: Theme): void {
  store(THEME_KEY, theme)
  const safe = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${THEME_COOKIE_SECONDS}; samesite=lax${safe}`
}

export function setBottomBar(bar: BottomBar): void {
  if (bar === 'hidden') document.documentElement.dataset.bar = bar
  else delete document.documentElement.dataset.bar
  store(BOTTOM_BAR_KEY, bar)
  notify()
}

export function areShortcutsOn(): boolean {
  return findStored(SHORTCUTS_KEY) !== 'off'
}

export function setShortcuts(choice: 'on' | 'off'): void {
  store(SHORTCUTS_KEY, choice)
  notify()
}

/** Gives the bars of the browser the colour of the page. */
export function updateThemeColor(): void {
  const isLight =
    getTheme() === 'light' ||
    (getTheme() === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
  document
    .querySelector('meta[name=theme-color]')
    ?.setAttribute('content', isLight ? PAGE_BACKGROUND.light : PAGE_BACKGROUND.dark)
}

const listeners = new Set<() => void>()

/** @returns a function that stops listening */
export function onDeviceChoice(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}

// Storage may be blocked: then the choice lasts as long as the document.
function findStored(key: string): string | null {
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
    // Not worth a message: the choice is visible, it is only not kept.
  }
}
