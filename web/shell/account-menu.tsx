// The menu behind the viewer's picture: dashboard, settings, themes on small screens, sign out.
import { LayoutDashboard, LogOut, Settings } from 'lucide-react'
import { Link } from 'react-router'
import type { Account } from '#contract/accounts.ts'
import { ViewerFace } from '../accounts/viewer-face.tsx'
import { Menu } from '../ui/menu.tsx'
import { ThemeItems } from './theme-items.tsx'
import { useSignOut } from './use-sign-out.ts'

export function AccountMenu({ account }: { account: Account }) {
  const signOut = useSignOut()
  return (
    <Menu
      label="Account"
      buttonLabel={`Account menu, ${account.name || account.email}`}
      buttonClass="who"
      button={<ViewerFace account={account} sidePixels={36} />}
    >
      <div className="menu__who" role="presentation">
        <b>
          <bdi>{account.name}</bdi>
        </b>
        {account.email}
      </div>
      <Link role="menuitem" to="/dashboard" tabIndex={-1}>
        <LayoutDashboard className="i" aria-hidden="true" />
        Dashboard
      </Link>
      <Link role="menuitem" to="/settings" tabIndex={-1}>
        <Settings className="i" aria-hidden="true" />
        Settings
      </Link>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a menu */}
      <div className="narrow-only" role="group" aria-label="Theme">
        <ThemeItems />
      </div>
      <hr />
      <button type="button" role="menuitem" tabIndex={-1} onClick={signOut}>
        <LogOut className="i" aria-hidden="true" />
        <span>
          Sign out <small>all devices</small>
        </span>
      </button>
    </Menu>
  )
}
