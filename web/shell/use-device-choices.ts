// The theme and the bottom bar for components, kept in the account's preferences too (product.md
// §O16, §O27).
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { Prefs } from '#contract/accounts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { isTheme, type Theme } from '../head/stored-choices.ts'
import { texts } from '../locales/texts.ts'
import { useToasts } from '../ui/toasts.tsx'
import {
  type BottomBar,
  getBottomBar,
  getTheme,
  hasOwnBottomBar,
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

/**
 * @returns functions that change a choice on this device, and in the account if one is signed in
 */
export function useChangeDeviceChoices(): {
  chooseTheme: (theme: Theme) => void
  chooseBottomBar: (bar: BottomBar) => void
} {
  const { status, savePrefs } = useViewer()
  const { show } = useToasts()

  const keep = useCallback(
    async (changes: Prefs) => {
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
  return { chooseTheme, chooseBottomBar }
}

/**
 * Call once, in the layout. When a person signs in their theme is shown; their bottom bar only on a
 * device without a choice of its own.
 */
export function useChoicesOfAccount(): void {
  const { userData } = useViewer()
  const id = userData?.$id
  const theme = userData?.prefs.theme
  const bar = userData?.prefs.bottomBar
  useEffect(() => {
    updateThemeColor()
    const query = matchMedia('(prefers-color-scheme: light)')
    query.addEventListener('change', updateThemeColor)
    return () => query.removeEventListener('change', updateThemeColor)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each person: later changes are made on this device
  useEffect(() => {
    if (isTheme(theme) && theme !== getTheme()) setTheme(theme)
    else if (isTheme(theme)) keepTheme(theme)
    if ((bar === 'shown' || bar === 'hidden') && !hasOwnBottomBar()) setBottomBar(bar)
  }, [id])
}
