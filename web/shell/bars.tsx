// The bars around every page. Header: the logo that shows or hides the bottom bar, the site's name,
// addPost, theme, bell, account. Bottom bar: home, all posts, dashboard. Footer: a line about the
// site, the theme, feeds, the list of shortcuts, the link to the top.
import { Bell as BellIcon, House, LayoutDashboard, Newspaper, Plus } from 'lucide-react'
import { type ComponentType, type MouseEvent, useEffect, useState } from 'react'
import { NavLink } from 'react-router'
import { logoPath } from '#contract/site-settings.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { useSiteIdentity } from '../api/site-identity.ts'
import { untilIdle } from '../api/use-live.ts'
import { THEMES } from '../head/stored-preferences.ts'
import { texts } from '../locales/texts.ts'
import { HeaderSearch } from '../posts/search-field.tsx'
import { ButtonLink, buttonClass, Spinner } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { loadWhenOnline } from '../ui/load-code.ts'
import { Segmented } from '../ui/segmented.tsx'
import { FooterLinks, HeaderLinks } from './blog-links.tsx'
import { useBottomBar, useChangePreferences, useTheme } from './device-preferences.ts'
import { AccountMenu, ThemeMenu, VisitorMenu } from './menus.tsx'
import { useShortcutList } from './shortcuts.tsx'

export const BOTTOM_BAR_ID = 'dock'
/** Id of the text that narrow headers hide, but that still names the link. */
const ADD_POST_WORD_ID = 'add-post-word'

type HeaderProps = { isBare: boolean }

export function Header({ isBare }: HeaderProps) {
  const { settings } = useApi()
  return isBare ? (
    <header className="header">
      <div className="container row header__inner">
        <span className="logo">
          <BrandMark />
        </span>
        <span className="target brand">
          <bdi>{settings.siteName}</bdi>
        </span>
        <div className="row header__end">
          <ThemeMenu />
        </div>
      </div>
    </header>
  ) : (
    <FullHeader />
  )
}

/** The lamp, or the blog's own logo. */
export function BrandMark() {
  const { logo } = useSiteIdentity()
  if (logo)
    return <img className="brand-mark" src={logoPath(logo, 64)} alt="" width="32" height="32" />
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect className="brand-mark__tile" width="32" height="32" rx="9" />
      <path className="brand-mark__fan" d="M8 6.5h12.5A12.5 12.5 0 0 1 8 19z" />
      <rect className="brand-mark__bar" x="8" y="22" width="16" height="3.5" rx="1.75" />
    </svg>
  )
}

function FullHeader() {
  const { settings } = useApi()
  const { siteName } = useSiteIdentity()
  const { isChecking, userData } = useViewer()
  const canReadList = userData !== null || settings.reading === 'everyone'
  const isBarShown = useBottomBar() === 'shown'
  const { chooseBottomBar } = useChangePreferences()
  return (
    <header className="header">
      <div className="container row header__inner">
        <button
          className="hoverable logo"
          type="button"
          aria-expanded={isBarShown}
          aria-controls={BOTTOM_BAR_ID}
          aria-label={texts.header.bottomBar}
          title={texts.header.bottomBarHint}
          onClick={() => chooseBottomBar(isBarShown ? 'hidden' : 'shown')}
        >
          <BrandMark />
        </button>
        <Link className="target brand" to="/">
          <bdi>{siteName}</bdi>
        </Link>
        <HeaderLinks />
        <div className={userData ? 'row header__end' : 'row header__end header__end--guest'}>
          {canReadList && <HeaderSearch />}
          <ButtonLink
            className="btn--pill add-post"
            to="/add-post"
            aria-labelledby={ADD_POST_WORD_ID}
          >
            <Plus className="icon icon--small" aria-hidden="true" />
            <span id={ADD_POST_WORD_ID}>{texts.header.addPost}</span>
          </ButtonLink>
          <ThemeMenu className="header__wide" />
          {userData && <BellButton key={userData.$id} />}
          {userData && <AccountMenu account={userData} />}
          {userData && <LinksWithoutScripts />}
          {!userData && isChecking && (
            <span className="account-button" aria-hidden="true">
              <span className="avatar" />
            </span>
          )}
          {!userData && !isChecking && <VisitorMenu />}
        </div>
      </div>
    </header>
  )
}

/** Links in place of the account menu, which needs scripts. */
function LinksWithoutScripts() {
  return (
    <noscript>
      <span className="row">
        <a className="target link" href="/dashboard">
          {texts.places.dashboard}
        </a>
        <form method="post" action="/v1/account/sign-out">
          <button className="target link" type="submit">
            {texts.signing.out}
          </button>
        </form>
      </span>
    </noscript>
  )
}

/** The bell. Without scripts, or until its code is loaded, a link to the page of notifications. */
function BellButton() {
  const [Bell, setBell] = useState<ComponentType<{ startsOpen: boolean }>>()
  const [isPressed, setPressed] = useState(false)
  useEffect(() => {
    void untilIdle()
      .then(() => loadWhenOnline(() => import('../notifications/bell.tsx')))
      .then((code) => setBell(() => code.Bell))
  }, [])
  function handleClick(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    setPressed(true)
  }
  if (Bell) return <Bell startsOpen={isPressed} />
  return (
    <Link
      className={buttonClass('ghost', 'btn--icon bell')}
      to="/notifications"
      aria-label={texts.bell.title}
      aria-busy={isPressed || undefined}
      onClick={handleClick}
    >
      {isPressed ? <Spinner /> : <BellIcon className="icon" aria-hidden="true" />}
    </Link>
  )
}

const PLACES = [
  { to: '/', name: texts.bottomBar.home, Icon: House },
  { to: '/post', name: texts.bottomBar.allPosts, Icon: Newspaper },
  // Also current on its sub-pages.
  { to: '/dashboard', name: texts.bottomBar.dashboard, Icon: LayoutDashboard, isBranch: true },
]

/** While hidden it is inert: not in the tab order, and hidden from screen readers. */
export function BottomBar() {
  const isShown = useBottomBar() === 'shown'
  return (
    <nav
      className="bottom-bar"
      id={BOTTOM_BAR_ID}
      aria-label={texts.bottomBar.label}
      inert={!isShown}
    >
      <ul>
        {PLACES.map(({ to, name, Icon, isBranch }) => (
          <li key={to}>
            <NavLink to={to} end={!isBranch}>
              <span>
                <Icon className="icon" aria-hidden="true" />
              </span>
              <span>{name}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** @param props `isBare`: without links to other pages */
export function Footer({ isBare }: HeaderProps) {
  const { settings } = useApi()
  const { siteName, about } = useSiteIdentity()
  const { userData } = useViewer()
  const canReadList = userData !== null || settings.reading === 'everyone'
  const theme = useTheme()
  const { chooseTheme } = useChangePreferences()
  const showShortcuts = useShortcutList()
  function scrollToTop(event: MouseEvent) {
    event.preventDefault()
    window.scrollTo({ top: 0 })
    document.querySelector<HTMLElement>('.skip-link')?.focus({ preventScroll: true })
  }
  return (
    <footer className="quiet footer">
      <div className="container">
        <div className="row footer__inner">
          <p>{texts.footer.about(siteName, about)}</p>
          <Segmented
            isBare
            legend={texts.theme.label}
            name="theme"
            options={THEMES.map((value) => ({ value, name: texts.theme[value] }))}
            selected={theme}
            onChoose={chooseTheme}
          />
          <div className="footer__links">
            <FooterLinks />
            {!isBare && canReadList && <Link to="/search">{texts.searchField.title}</Link>}
            {!isBare && settings.reading === 'everyone' && (
              <>
                <a href="/feed.xml" type="application/atom+xml">
                  {texts.footer.atom}
                </a>
                <a href="/feed.json" type="application/feed+json">
                  {texts.footer.json}
                </a>
              </>
            )}
            {!isBare && (
              <button
                className="footer__shortcuts"
                type="button"
                aria-haspopup="dialog"
                onClick={showShortcuts}
              >
                {texts.shortcuts.title}
              </button>
            )}
            <Link to="#top" onClick={scrollToTop}>
              {texts.footer.toTop}
            </Link>
          </div>
        </div>
      </div>
    </footer>
  )
}
