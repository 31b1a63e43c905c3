// The footer: one line about the site, the theme, the list of shortcuts, the link to the top.
import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { THEMES } from '../head/stored-preferences.ts'
import { texts } from '../locales/texts.ts'
import { Segmented } from '../ui/segmented.tsx'
import { useChangeDeviceChoices, useTheme } from './device-preferences.ts'
import { useShortcutList } from './shortcuts.tsx'

export function Footer() {
  const { settings } = useApi()
  const { userData } = useViewer()
  const mayList = userData !== null || settings.reading === 'everyone'
  const now = useTheme()
  const { chooseTheme } = useChangeDeviceChoices()
  const listShortcuts = useShortcutList()
  function handleTop(event: MouseEvent) {
    event.preventDefault()
    window.scrollTo({ top: 0 })
    document.querySelector<HTMLElement>('.skip-link')?.focus({ preventScroll: true })
  }
  return (
    <footer className="quiet footer">
      <div className="container">
        <div className="row footer__inner">
          <p>{texts.footer.about(settings.siteName, settings.about)}</p>
          <Segmented
            isBare
            legend={texts.theme.label}
            name="theme"
            options={THEMES.map((value) => ({ value, name: texts.theme[value] }))}
            now={now}
            onChoose={chooseTheme}
          />
          <div className="footer__links">
            {mayList && <Link to="/search">{texts.searchField.title}</Link>}
            {settings.reading === 'everyone' && (
              <>
                <a href="/feed.xml" type="application/atom+xml">
                  {texts.footer.atom}
                </a>
                <a href="/feed.json" type="application/feed+json">
                  {texts.footer.json}
                </a>
              </>
            )}
            <button
              className="footer__shortcuts"
              type="button"
              aria-haspopup="dialog"
              onClick={listShortcuts}
            >
              {texts.shortcuts.title}
            </button>
            <Link to="#top" onClick={handleTop}>
              {texts.footer.toTop}
            </Link>
          </div>
        </div>
      </div>
    </footer>
  )
}
