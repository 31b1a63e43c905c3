// The footer: one line about the site, the theme, the way back up.
import type { MouseEvent } from 'react'
import { useApi } from '../api/api-context.tsx'
import { useShortcutList } from './shortcuts.tsx'
import { THEMES } from './theme.ts'
import { THEME_NAMES } from './theme-items.tsx'
import { useChoose, useTheme } from './use-device-choices.ts'

export function Footer() {
  const { settings } = useApi()
  const now = useTheme()
  const { chooseTheme } = useChoose()
  const listShortcuts = useShortcutList()
  function handleTop(event: MouseEvent) {
    event.preventDefault()
    window.scrollTo({ top: 0 })
    document.querySelector<HTMLElement>('.skip')?.focus({ preventScroll: true })
  }
  return (
    <footer className="foot">
      <div className="wrap">
        <div className="foot__in">
          <p>{settings.siteName}. A quiet place to write and read.</p>
          <fieldset className="seg">
            <legend className="vh">Theme</legend>
            {THEMES.map((theme) => (
              <label key={theme}>
                <input type="radio" name="theme" value={theme} checked={theme === now} onChange={() => chooseTheme(theme)} />
                {THEME_NAMES[theme]}
              </label>
            ))}
          </fieldset>
          <button className="foot__keys" type="button" aria-haspopup="dialog" onClick={listShortcuts}>
            Keyboard shortcuts
          </button>
          {/* biome-ignore lint/a11y/useValidAnchor: a real link that works without scripts; the handler moves the focus along */}
          <a href="#top" onClick={handleTop}>
            Back to top
          </a>
        </div>
      </div>
    </footer>
  )
}
