// The frame of the settings: their heading and side links, and the question before an unsaved
// change is left.
import './settings-sheets.css'
import { Archive, Bell, Globe, Image, KeyRound, Pencil, Trash2, UserRound } from 'lucide-react'
import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate, useOutletContext } from 'react-router'
import type { Account } from '#contract/accounts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { LeaveGuard } from '../forms/leave-guard.tsx'
import { texts } from '../locales/texts.ts'
import { PageTitle } from '../ui/screens.tsx'
import { type SideLink, SideLinks } from '../ui/side-links.tsx'
import { hasChange } from './settings-form.tsx'

const names = texts.settingsSections

const SIGN_IN_PATH = '/settings/sign-in'
const NOTIFICATIONS_PATH = '/settings/notifications'

const LINKS: readonly SideLink[] = [
  { to: '/settings', name: names.profile, Icon: UserRound },
  { to: SIGN_IN_PATH, name: names.signIn, Icon: KeyRound },
  { to: '/settings/writing', name: names.writing, Icon: Pencil },
  { to: NOTIFICATIONS_PATH, name: names.notifications, Icon: Bell },
  { to: '/settings/language', name: names.language, Icon: Globe },
  { to: '/settings/files', name: names.files, Icon: Image },
  { to: '/settings/data', name: names.data, Icon: Archive },
  { to: '/settings/delete-account', name: names.deletion, Icon: Trash2, startsGroup: true },
]

/** When the settings were one page, these led to parts of it. */
const FORMER_ANCHORS: Readonly<Record<string, string>> = {
  '#notifications': NOTIFICATIONS_PATH,
  '#settings-password': SIGN_IN_PATH,
}

export function SettingsFrame() {
  const { userData } = useViewer()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  const formerPath = pathname === '/settings' ? FORMER_ANCHORS[hash] : undefined
  useEffect(() => {
    if (formerPath) void navigate(formerPath, { replace: true })
  }, [formerPath, navigate])
  const name = LINKS.find(({ to }) => to === pathname.replace(/\/$/, ''))?.name
  return (
    <>
      <PageTitle screen={name ? `${name} · ${texts.places.settings}` : texts.places.settings} />
      <h1 className="screen-title settings__title">{texts.places.settings}</h1>
      <div className="sided">
        <SideLinks label={texts.places.settings} links={LINKS} />
        <div className="sided__page settings">{userData && <Outlet context={userData} />}</div>
      </div>
      <LeaveGuard needsQuestion={hasUnsavedText} text={texts.settingsLeaving} />
    </>
  )
}

/** The account, for the pages inside the frame. */
export function useAccount(): Account {
  return useOutletContext<Account>()
}

/** A typed password is no text that could be lost. */
function hasUnsavedText(): boolean {
  const forms = document.querySelectorAll<HTMLFormElement>('.settings form')
  return [...forms].some((form) => hasChange(form, 'input[type="password"]'))
}
