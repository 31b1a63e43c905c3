// The menu behind the viewer's avatar: dashboard, settings, themes on small screens, sign out.

import { LayoutDashboard, LogOut, Search, Settings } from 'lucide-react'
import { Link } from 'react-router'
import type { Account } from '#contract/accounts.ts'
import { FACE_SIDES } from '#contract/image-sizes.ts'
import { ViewerAvatar } from '../accounts/viewer-avatar.tsx'
import { texts } from '../locales/texts.ts'
import { Menu } from '../ui/menu.tsx'
import { ThemeItems } from './theme-items.tsx'
import { useSignOut } from './use-sign-out.ts'

export function AccountMenu({ account }: { account: Account }) {
  const signOut = useSignOut()
  return (
    <Menu
      label={texts.accountMenu.label}
      buttonLabel={texts.accountMenu.button(account.name || account.email)}
      buttonClass="account-button"
      button={<ViewerAvatar account={account} sidePixels={FACE_SIDES.viewer} />}
    >
      <div className="menu__account" role="presentation">
        <b>
          <bdi>{account.name}</bdi>
        </b>
        {account.email}
      </div>
      <Link role="menuitem" to="/dashboard" tabIndex={-1}>
        <LayoutDashboard className="icon" aria-hidden="true" />
        {texts.places.dashboard}
      </Link>
      <Link role="menuitem" to="/settings" tabIndex={-1}>
        <Settings className="icon" aria-hidden="true" />
        {texts.places.settings}
      </Link>
      <Link className="narrow-only" role="menuitem" to="/search" tabIndex={-1}>
        <Search className="icon" aria-hidden="true" />
        {texts.searchField.title}
      </Link>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a menu */}
      <div className="narrow-only" role="group" aria-label={texts.theme.label}>
        <ThemeItems />
      </div>
      <hr />
      <button type="button" role="menuitem" tabIndex={-1} onClick={signOut}>
        <LogOut className="icon" aria-hidden="true" />
        <span>
          {texts.signing.out} <small>{texts.accountMenu.allDevices}</small>
        </span>
      </button>
    </Menu>
  )
}
