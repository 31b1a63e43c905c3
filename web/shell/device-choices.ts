// The choices of this device: the theme and whether the bottom bar is shown, which are attributes of
// <html> and kept in localStorage, so that a script in the head shows them before the first paint;
// and the keyboard shortcuts. Knows nothing of accounts: use-device-choices.ts does.

import { PAGE_BACKGROUND } from '#contract/colors.ts'
import { BOTTOM_BAR_KEY, THEME_KEY, THEMES } from '../head/stored-choices.ts'

export type Theme = (typeof THEMES)[number]
export type BottomBar = 'shown' | 'hidden'

const SHORTCUTS_KEY = 'shortcuts'

export function isTheme(value: unknown): value is Theme {
  return THEMES.some((theme) => theme === value)
}

export function getTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return isTheme(theme) ? theme : 'dark'
}

export function getBottomBar(): BottomBar {
  return document.documentElement.dataset.bar === 'hidden' ? 'hidden' : 'shown'
}

/** Whether this device has a choice of its own, so that the account's does not replace it. */
export function hasOwnBottomBar(): boolean {
  return stored(BOTTOM_BAR_KEY) !== null
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
  updateThemeColor()
  requestAnimationFrame(() => requestAnimationFrame(() => root.classList.remove('no-transitions')))
  tell()
}

export function setBottomBar(bar: BottomBar): void {
  if (bar === 'hidden') document.documentElement.dataset.bar = bar
  else delete document.documentElement.dataset.bar
  store(BOTTOM_BAR_KEY, bar)
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
export function updateThemeColor(): void {
  const isLight =
    getTheme() === 'light' ||
    (getTheme() === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
  document
    .querySelector('meta[name=theme-color]')
    ?.setAttribute('content', isLight ? PAGE_BACKGROUND.light : PAGE_BACKGROUND.dark)
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
