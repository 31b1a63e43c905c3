// The first two stops of the Tab key.
import type { MouseEvent } from 'react'
import { texts } from '../locales/texts.ts'
import { BOTTOM_BAR_ID } from './bottom-bar.tsx'

export function SkipLinks() {
  function handleContent(event: MouseEvent) {
    event.preventDefault()
    document.getElementById('main')?.focus()
  }
  function handleNavigation(event: MouseEvent) {
    event.preventDefault()
    // Put away, the bar cannot take the focus: its button can.
    const bar = document.getElementById(BOTTOM_BAR_ID)
    const target = bar?.inert
      ? document.querySelector<HTMLElement>(`[aria-controls="${BOTTOM_BAR_ID}"]`)
      : bar?.querySelector<HTMLElement>('a')
    target?.focus()
  }
  return (
    <div className="skips">
      {/* biome-ignore lint/a11y/useValidAnchor: a real link that works without scripts; the handler keeps it out of the history */}
      <a className="skip" href="#main" onClick={handleContent}>
        {texts.skipLinks.content}
      </a>
      <a className="skip" href={`#${BOTTOM_BAR_ID}`} onClick={handleNavigation}>
        {texts.skipLinks.navigation}
      </a>
    </div>
  )
}
