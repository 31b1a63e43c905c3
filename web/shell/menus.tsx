// The menus of the header: account, visitors, themes.
import {
  Bell,
  Check,
  LayoutDashboard,
  LogIn,
  LogOut,
  Menu as MenuIcon,
  Monitor,
  Moon,
  Search,
  Settings,
  Shield,
  Sun,
  UserRoundPlus,
} from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { Account } from '#contract/accounts.ts'
import { AVATAR_SIZES } from '#contract/image-sizes.ts'
import { avatarIdOf, useAvatar } from '../accounts/avatar-url.ts'
import { isPost } from '../accounts/return-path.ts'
import { isOperator, useViewer } from '../accounts/viewer.tsx'
import { failureOf, useApi } from '../api/client.ts'
import { refusalText } from '../api/error-text.ts'
import { THEMES } from '../head/stored-preferences.ts'
import { texts } from '../locales/texts.ts'
import { useBellCount } from '../notifications/bell-count.ts'
import { ButtonLink, buttonClass } from '../ui/button.tsx'
import { Menu, MenuItem, MenuLink } from '../ui/menu.tsx'
import { retryToast, useToasts } from '../ui/toasts.tsx'
import { LinkItems, useHasHeaderLinks } from './blog-links.tsx'
import { useChangePreferences, useTheme } from './device-preferences.ts'

export function AccountMenu({ account }: { account: Account }) {
  const { isPersonalised } = useViewer()
  const { signOut } = useSignOut()
  const unreadCount = useBellCount()
  const sidePixels = AVATAR_SIZES.viewer
  const image = useAvatar(account.name, avatarIdOf(account.prefs), sidePixels * 2)
  const { label, button } = texts.accountMenu
  return (
    <Menu
      label={label}
      buttonLabel={isPersonalised ? button(account.name || account.email) : label}
      buttonClass="account-button"
      button={
        isPersonalised ? (
          <img {...image} alt="" width={sidePixels} height={sidePixels} decoding="async" />
        ) : (
          <span className="avatar" />
        )
      }
    >
      <div className="menu__account" role="presentation">
        <b>
          <bdi>{account.name}</bdi>
        </b>
        {account.email}
      </div>
      <LinkItems />
      <MenuLink Icon={LayoutDashboard} to="/dashboard">
        {texts.places.dashboard}
      </MenuLink>
      <MenuLink Icon={Settings} to="/settings">
        {texts.places.settings}
      </MenuLink>
      {isOperator(account) && (
        <MenuLink Icon={Shield} to="/admin">
          {texts.places.admin}
        </MenuLink>
      )}
      <MenuLink Icon={Bell} className="bell-item" to="/notifications">
        {texts.bell.button(unreadCount)}
      </MenuLink>
      <MenuLink Icon={Search} className="header__narrow" to="/search">
        {texts.searchField.title}
      </MenuLink>
      <fieldset className="header__narrow" aria-label={texts.theme.label}>
        <ThemeItems />
      </fieldset>
      <hr />
      <MenuItem Icon={LogOut} onPress={signOut}>
        <span>
          {texts.signing.out} <small className="hint">{texts.accountMenu.allDevices}</small>
        </span>
      </MenuItem>
    </Menu>
  )
}

export function VisitorMenu() {
  const { settings } = useApi()
  const { pathname } = useLocation()
  const state = isPost(pathname) ? { back: pathname } : null
  return (
    <>
      <ButtonLink kind="ghost" className="header__log-in" to="/login" state={state}>
        {texts.signing.logIn}
      </ButtonLink>
      <Menu
        label={texts.header.menu}
        className={useHasHeaderLinks() ? 'header__below-wide' : 'header__narrow'}
        buttonClass={buttonClass('ghost', 'btn--icon')}
        button={<MenuIcon className="icon" aria-hidden="true" />}
      >
        <LinkItems />
        <MenuLink Icon={LogIn} className="header__log-in-item" to="/login" state={state}>
          {texts.signing.logIn}
        </MenuLink>
        {settings.isRegistrationOpen && (
          <MenuLink Icon={UserRoundPlus} to="/signup" state={state}>
            {texts.signing.up}
          </MenuLink>
        )}
        {settings.reading === 'everyone' && (
          <MenuLink Icon={Search} className="header__narrow" to="/search">
            {texts.searchField.title}
          </MenuLink>
        )}
        <fieldset className="header__narrow" aria-label={texts.theme.label}>
          <hr />
          <ThemeItems />
        </fieldset>
      </Menu>
    </>
  )
}

/** @param className `header__wide` if narrow headers show the themes in another menu */
export function ThemeMenu({ className = '' }: { className?: string }) {
  return (
    <Menu
      label={texts.theme.label}
      className={className}
      buttonClass={buttonClass('ghost', 'btn--icon')}
      button={
        <>
          <Moon className="icon theme-icon theme-icon--moon" aria-hidden="true" />
          <Sun className="icon theme-icon theme-icon--sun" aria-hidden="true" />
          <Monitor className="icon theme-icon theme-icon--monitor" aria-hidden="true" />
        </>
      }
    >
      <ThemeItems />
    </Menu>
  )
}

const ICONS = { dark: Moon, light: Sun, system: Monitor }

function ThemeItems() {
  const currentTheme = useTheme()
  const { chooseTheme } = useChangePreferences()
  return THEMES.map((theme) => {
    const Icon = ICONS[theme]
    return (
      <button
        key={theme}
        type="button"
        role="menuitemradio"
        aria-checked={theme === currentTheme}
        tabIndex={-1}
        onClick={() => chooseTheme(theme)}
      >
        <Icon className="icon" aria-hidden="true" />
        {texts.theme[theme]}
        <Check className="icon icon--small menu__check" aria-hidden="true" />
      </button>
    )
  })
}

/** Signs out on all devices, and shows the result. */
export function useSignOut() {
  const viewer = useViewer()
  const { show } = useToasts()
  const [isBusy, setBusy] = useState(false)
  function signOut() {
    setBusy(true)
    viewer
      .signOut()
      .then(
        () => show({ kind: 'ok', text: texts.signedOutEverywhere }),
        (error: unknown) => {
          const failure = failureOf(error)
          const text = failure.code === 0 ? texts.failures.stillSignedIn : refusalText(failure)
          show(retryToast(text, signOut))
        },
      )
      .finally(() => setBusy(false))
  }
  return { isBusy, signOut }
}
