// The choices of this device: the theme and whether the bottom bar is shown, which are attributes
// of <html> and stored on the device, so that a script in the head shows them before the first
// paint; and the keyboard shortcuts. Those of a signed-in user are in the account's preferences,
// too, with the language of dates (product.md §O16, §O27).
import { useCallback, useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'
import type { Prefs } from '#contract/accounts.ts'
import { PAGE_BACKGROUND } from '#contract/colors.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { getDateLanguage, setDateLanguage } from '../head/date-language.ts'
import { findStored, store, storeCookie } from '../head/device-storage.ts'
import {
  BOTTOM_BAR_KEY,
  isTheme,
  THEME_COOKIE,
  THEME_KEY,
  type Theme,
} from '../head/stored-preferences.ts'
import { texts } from '../locales/texts.ts'
import { retryToast, useToasts } from '../ui/toasts.tsx'
import { usePageEvent } from '../ui/use-page-event.ts'

/** Lifetime of the cookie that tells the server the theme of a device. */
const THEME_COOKIE_SECONDS = 365 * 24 * 60 * 60

type BottomBar = 'shown' | 'hidden'

const SHORTCUTS_KEY = 'shortcuts'

function getTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return isTheme(theme) ? theme : 'dark'
}

function getBottomBar(): BottomBar {
  return document.documentElement.dataset.bar === 'hidden' ? 'hidden' : 'shown'
}

/**
 * Shows the theme and stores it on this device, and in a cookie for the server. Without
 * transitions, which would fade through colours of neither theme.
 */
function setTheme(theme: Theme): void {
  const root = document.documentElement
  root.classList.add('no-transitions')
  root.dataset.theme = theme
  storeTheme(theme)
  updateThemeColor()
  requestAnimationFrame(() => requestAnimationFrame(() => root.classList.remove('no-transitions')))
  notify()
}

/** Keeps a theme that is shown already. */
function storeTheme(theme: Theme): void {
  store(THEME_KEY, theme)
  const safe = location.protocol === 'https:' ? '; secure' : ''
  storeCookie(
    `${THEME_COOKIE}=${theme}; path=/; max-age=${THEME_COOKIE_SECONDS}; samesite=lax${safe}`,
  )
}

function setBottomBar(bar: BottomBar): void {
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
function updateThemeColor(): void {
  const isLight =
    getTheme() === 'light' ||
    (getTheme() === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
  document
    .querySelector('meta[name=theme-color]')
    ?.setAttribute('content', isLight ? PAGE_BACKGROUND.light : PAGE_BACKGROUND.dark)
}

const listeners = new Set<() => void>()

/** @returns a function that stops listening */
export function onPreferenceChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  const { theme } = useViewer().prefs
  return useSyncExternalStore(onPreferenceChange, getTheme, () => (isTheme(theme) ? theme : 'dark'))
}

export function useBottomBar(): BottomBar {
  const { bottomBar } = useViewer().prefs
  return useSyncExternalStore(onPreferenceChange, getBottomBar, () =>
    bottomBar === 'hidden' ? 'hidden' : 'shown',
  )
}

/** @returns a function that keeps choices with the account of a signed-in person */
export function useSavePreferences(): (changes: Prefs) => Promise<void> {
  const { status, savePrefs } = useViewer()
  const { show } = useToasts()
  return useCallback(
    async function keep(changes: Prefs) {
      if (!status) return
      const answer = await savePrefs(changes)
      if (answer.ok) return
      show(retryToast(texts.appearance.notSaved, () => void keep(changes)))
    },
    [status, savePrefs, show],
  )
}

/**
 * @returns functions that change a choice on this device, and in the account if one is signed in
 */
export function useChangePreferences() {
  const keep = useSavePreferences()
  return useMemo(
    () => ({
      chooseTheme(theme: Theme) {
        setTheme(theme)
        void keep({ theme })
      },
      chooseBottomBar(bottomBar: BottomBar) {
        setBottomBar(bottomBar)
        void keep({ bottomBar })
      },
      /** @param language undefined for the one of the browser */
      chooseDateLanguage(language: string | undefined) {
        setDateLanguage(language)
        void keep({ dateLanguage: language ?? '' })
      },
    }),
    [keep],
  )
}

/**
 * Call once, in the layout. When a person signs in, with every page load, and when they were
 * changed elsewhere, the person's theme, bottom bar and language of dates are shown.
 */
export function useAccountPreferences(): void {
  const { userData, isPersonalised, remoteChangeCount } = useViewer()
  const id = userData?.$id
  const prefs = userData?.prefs
  useEffect(() => {
    updateThemeColor()
    const query = matchMedia('(prefers-color-scheme: light)')
    query.addEventListener('change', updateThemeColor)
    return () => query.removeEventListener('change', updateThemeColor)
  }, [])
  // Another tab of this browser has stored a theme, perhaps a guest's.
  usePageEvent('storage', ({ key, newValue }) => {
    if (key === THEME_KEY && isTheme(newValue) && newValue !== getTheme()) setTheme(newValue)
  })
  const takeOver = useEffectEvent(() => {
    if (!prefs || !isPersonalised) return
    const { theme, bottomBar, dateLanguage } = prefs
    if (isTheme(theme) && theme !== getTheme()) setTheme(theme)
    else if (isTheme(theme)) storeTheme(theme)
    if ((bottomBar === 'shown' || bottomBar === 'hidden') && bottomBar !== getBottomBar())
      setBottomBar(bottomBar)
    if (dateLanguage !== getDateLanguage()) setDateLanguage(dateLanguage)
  })
  // What changes here is kept here already.
  useEffect(() => takeOver(), [id, isPersonalised, remoteChangeCount])
}
