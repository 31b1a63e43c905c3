// What the header shows to visitors: "Log in", and on small screens a menu that also holds the
// themes.
import { LogIn, Search, UserRound, UserRoundPlus } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { isPost } from '../accounts/return-path.ts'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Menu } from '../ui/menu.tsx'
import { ThemeItems } from './theme-items.tsx'

export function VisitorMenu() {
  const { settings } = useApi()
  const { pathname } = useLocation()
  const state = isPost(pathname) ? { back: pathname } : null
  return (
    <>
      <Link className={buttonClass('ghost', 'wide-only')} to="/login" state={state}>
        {texts.signing.logIn}
      </Link>
      <Menu
        label={texts.header.menu}
        className="narrow-only"
        buttonClass={buttonClass('ghost', 'btn--icon')}
        button={<UserRound className="icon" aria-hidden="true" />}
      >
        <Link role="menuitem" to="/login" state={state} tabIndex={-1}>
          <LogIn className="icon" aria-hidden="true" />
          {texts.signing.logIn}
        </Link>
        {settings.isRegistrationOpen && (
          <Link role="menuitem" to="/signup" state={state} tabIndex={-1}>
            <UserRoundPlus className="icon" aria-hidden="true" />
            {texts.signing.up}
          </Link>
        )}
        {settings.reading === 'everyone' && (
          <Link role="menuitem" to="/search" tabIndex={-1}>
            <Search className="icon" aria-hidden="true" />
            {texts.searchField.title}
          </Link>
        )}
        <hr />
        <ThemeItems />
      </Menu>
    </>
  )
}
