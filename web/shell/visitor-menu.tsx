// What the header shows to visitors: "Log in", and on small screens a menu that also holds the
// themes.
import { LogIn, UserRound, UserRoundPlus } from 'lucide-react'
import { Link } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Menu } from '../ui/menu.tsx'
import { ThemeItems } from './theme-items.tsx'

export function VisitorMenu() {
  const { settings } = useApi()
  return (
    <>
      <Link className={buttonClass('ghost', 'wide-only')} to="/login">
        {texts.signing.logIn}
      </Link>
      <Menu
        label={texts.header.menu}
        className="narrow-only"
        buttonClass={buttonClass('ghost', 'btn--icon')}
        button={<UserRound className="icon" aria-hidden="true" />}
      >
        <Link role="menuitem" to="/login" tabIndex={-1}>
          <LogIn className="icon" aria-hidden="true" />
          {texts.signing.logIn}
        </Link>
        {settings.isRegistrationOpen && (
          <Link role="menuitem" to="/signup" tabIndex={-1}>
            <UserRoundPlus className="icon" aria-hidden="true" />
            {texts.signing.up}
          </Link>
        )}
        <hr />
        <ThemeItems />
      </Menu>
    </>
  )
}
