// Whether the page is dark right now, for parts with style sheets of their own. The choice itself
// is the shell's business.

import { useSyncExternalStore } from 'react'

export type ShownTheme = 'dark' | 'light'

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    system.removeEventListener('change', onChange)
  }
}

function shownTheme(): ShownTheme {
  const { theme } = document.documentElement.dataset
  if (theme === 'system')
    return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  return theme === 'light' ? 'light' : 'dark'
}

export function useShownTheme(): ShownTheme {
  return useSyncExternalStore(subscribe, shownTheme, () => 'dark')
}
