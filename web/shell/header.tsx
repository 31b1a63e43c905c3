// The header: the logo that shows or hides the bottom bar, the site's name, addPost, theme,
// account.
import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { HeaderSearch } from '../posts/search-field.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { BOTTOM_BAR_ID } from './bottom-bar.tsx'
import { useBottomBar, useChangeDeviceChoices } from './device-preferences.ts'
import { AccountMenu, ThemeMenu, VisitorMenu } from './menus.tsx'

export function Header() {
  const { settings } = useApi()
  const { isChecking, userData } = useViewer()
  const mayList = userData !== null || settings.reading === 'everyone'
  const isBarShown = useBottomBar() === 'shown'
  const { chooseBottomBar } = useChangeDeviceChoices()
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
          <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
            <rect className="brand-mark__tile" width="32" height="32" rx="9" />
            <path className="brand-mark__fan" d="M8 6.5h12.5A12.5 12.5 0 0 1 8 19z" />
            <rect className="brand-mark__bar" x="8" y="22" width="16" height="3.5" rx="1.75" />
          </svg>
        </button>
        <Link className="target brand" to="/">
          {settings.siteName}
        </Link>
        <div className="row header__end">
          {mayList && <HeaderSearch />}
          <ButtonLink className="btn--pill add-post" to="/add-post">
            <Plus className="icon icon--small" aria-hidden="true" />
            {texts.header.addPost}
          </ButtonLink>
          <ThemeMenu />
          {userData && <AccountMenu account={userData} />}
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
