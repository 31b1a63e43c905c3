// The theme, the bottom bar and the language of dates for components, kept in the account's
// preferences too (product.md §O16, §O27).
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { Prefs } from '#contract/accounts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { getDateLanguage, setDateLanguage } from '../head/date-language.ts'
import { isTheme, type Theme } from '../head/stored-choices.ts'
import { texts } from '../locales/texts.ts'
import { useToasts } from '../ui/toasts.tsx'
import {
  type BottomBar,
  followOtherTabs,
  getBottomBar,
  getTheme,
  keepTheme,
  onDeviceChoice,
  setBottomBar,
  setTheme,
  updateThemeColor,
} from './device-choices.ts'

export function useTheme(): Theme {
  const { theme } = useViewer().prefs
  return useSyncExternalStore(onDeviceChoice, getTheme, () => (isTheme(theme) ? theme : 'dark'))
}

export function useBottomBar(): BottomBar {
  const { bottomBar } = useViewer().prefs
  return useSyncExternalStore(onDeviceChoice, getBottomBar, () =>
    bottomBar === 'hidden' ? 'hidden' : 'shown',
  )
}

/** @returns a function that keeps choices with the account of a signed-in person */
export function useKeepChoices(): (changes: Prefs) => Promise<void> {
  const { status, savePrefs } = useViewer()
  const { show } = useToasts()
  return useCallback(
    async function keep(changes: Prefs) {
      if (!status) return
      const answer = await savePrefs(changes)
      if (answer.ok) return
      show({
        kind: 'error',
        text: texts.appearance.notSaved,
        action: { label: texts.actions.tryAgain, onPress: () => void keep(changes) },
      })
    },
    [status, savePrefs, show],
  )
}

/**
 * @returns functions that change a choice on this device, and in the account if one is signed in
 */
export function useChangeDeviceChoices(): {
  chooseTheme: (theme: Theme) => void
  chooseBottomBar: (bar: BottomBar) => void
  /** @param language undefined for the one of the browser */
  chooseDateLanguage: (language: string | undefined) => void
} {
  const keep = useKeepChoices()
  const chooseTheme = useCallback(
    (theme: Theme) => {
      setTheme(theme)
      void keep({ theme })
    },
    [keep],
  )
  const chooseBottomBar = useCallback(
    (bar: BottomBar) => {
      setBottomBar(bar)
      void keep({ bottomBar: bar })
    },
    [keep],
  )
  const chooseDateLanguage = useCallback(
    (language: string | undefined) => {
      setDateLanguage(language)
      void keep({ dateLanguage: language ?? '' })
    },
    [keep],
  )
  return { chooseTheme, chooseBottomBar, chooseDateLanguage }
}

/**
 * Call once, in the layout. When a person signs in, with every page load, and when they were
 * changed elsewhere, the person's theme, bottom bar and language of dates are shown.
 */
export function useChoicesOfAccount(): void {
  const { userData, changesElsewhere } = useViewer()
  const id = userData?.$id
  const prefs = userData?.prefs
  useEffect(() => {
    updateThemeColor()
    const query = matchMedia('(prefers-color-scheme: light)')
    query.addEventListener('change', updateThemeColor)
    const stopFollowing = followOtherTabs()
    return () => {
      query.removeEventListener('change', updateThemeColor)
      stopFollowing()
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each person, and after changes from elsewhere: others were made here
  useEffect(() => {
    if (!prefs) return
    const { theme, bottomBar, dateLanguage } = prefs
    if (isTheme(theme) && theme !== getTheme()) setTheme(theme)
    else if (isTheme(theme)) keepTheme(theme)
    if ((bottomBar === 'shown' || bottomBar === 'hidden') && bottomBar !== getBottomBar())
      setBottomBar(bottomBar)
    if (dateLanguage !== getDateLanguage()) setDateLanguage(dateLanguage)
  }, [id, changesElsewhere])
}
