// The current theme and accent of the page, for documents in frames. The shell handles the choice.

import type { Editor } from 'hugerte'
import { useSyncExternalStore } from 'react'

export type DisplayedTheme = 'dark' | 'light'

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'style'] })
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    system.removeEventListener('change', onChange)
  }
}

function displayedTheme(): DisplayedTheme {
  const { theme } = document.documentElement.dataset
  if (theme === 'system')
    return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  return theme === 'light' ? 'light' : 'dark'
}

export function useDisplayedTheme(): DisplayedTheme {
  return useSyncExternalStore(subscribe, displayedTheme, () => 'dark')
}

/** Gives the root of another document the theme and the accent of the page. */
export function applyAppearance(root: HTMLElement): void {
  root.dataset.theme = displayedTheme()
  const { style } = document.documentElement
  root.style.cssText = ''
  for (const name of style)
    if (name.startsWith('--')) root.style.setProperty(name, style.getPropertyValue(name))
}

/** Gives the editor's frame the theme and the accent of the page, also when they change. */
export function followAppearance(editor: Editor): void {
  const root = editor.getDoc().documentElement
  applyAppearance(root)
  editor.on(
    'remove',
    subscribe(() => applyAppearance(root)),
  )
}
