// The preferences of this device: the theme, the bottom bar and the keyboard shortcuts. Theme and
// bottom bar are attributes of <html> and stored on the device, so that a script in the head
// applies them before the first paint. For signed-in users the account stores both, too, and the
// language of dates (product.md §O16, §O27).
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
 * Shows the theme and stores it on the device. Transitions are off meanwhile: they would fade
 * through colours of neither theme.
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

/** Stores the theme on the device, and in a cookie for the server. */
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

/** Gives the browser's own bars the colour of the page. */
function updateThemeColor(): void {
  const isLight =
    getTheme() === 'light' ||
    (getTheme() === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
  document
    .querySelector('meta[name=theme-color]')
    ?.setAttribute('content', isLight ? PAGE_BACKGROUND.light : PAGE_BACKGROUND.dark)
}

const listeners = new Set<() => void>()

/** @returns a function that unsubscribes */
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

/** @returns a function that saves preferences in the account, if the viewer is signed in */
export function useSavePreferences(): (changes: Prefs) => Promise<void> {
  const { status, savePrefs } = useViewer()
  const { show } = useToasts()
  return useCallback(
    async function save(changes: Prefs) {
      if (!status) return
      const result = await savePrefs(changes)
      if (result.ok) return
      show(retryToast(texts.appearance.notSaved, () => void save(changes)))
    },
    [status, savePrefs, show],
  )
}

/**
 * @returns functions that change a preference on this device, and in the viewer's account
 */
export function useChangePreferences() {
  const save = useSavePreferences()
  return useMemo(
    () => ({
      chooseTheme(theme: Theme) {
        setTheme(theme)
        void save({ theme })
      },
      chooseBottomBar(bottomBar: BottomBar) {
        setBottomBar(bottomBar)
        void save({ bottomBar })
      },
      /** @param language undefined for the browser's language */
      chooseDateLanguage(language: string | undefined) {
        setDateLanguage(language)
        void save({ dateLanguage: language ?? '' })
      },
    }),
    [save],
  )
}

/**
 * Call once, in the layout. Applies the account's theme, bottom bar and language of dates when the
 * user signs in, with every page load, and when another tab or device has changed them.
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
  const applyAccount = useEffectEvent(() => {
    if (!prefs || !isPersonalised) return
    const { theme, bottomBar, dateLanguage } = prefs
    if (isTheme(theme) && theme !== getTheme()) setTheme(theme)
    else if (isTheme(theme)) storeTheme(theme)
    if ((bottomBar === 'shown' || bottomBar === 'hidden') && bottomBar !== getBottomBar())
      setBottomBar(bottomBar)
    if (dateLanguage !== getDateLanguage()) setDateLanguage(dateLanguage)
  })
  // Does not run when only `prefs` changes: changes made on this page are applied already.
  useEffect(() => applyAccount(), [id, isPersonalised, remoteChangeCount])
}
