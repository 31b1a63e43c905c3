// The frame of the settings: their heading and side links, and the question before an unsaved
// change is left.
import './settings-sheets.css'
import {
  Archive,
  Bell,
  Globe,
  Image,
  KeyRound,
  type LucideIcon,
  Pencil,
  Trash2,
  UserRound,
} from 'lucide-react'
import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate, useOutletContext } from 'react-router'
import type { Account } from '#contract/accounts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { LeaveGuard } from '../forms/leave-guard.tsx'
import { texts } from '../locales/texts.ts'
import { PageTitle } from '../ui/screens.tsx'
import { SideLinks } from '../ui/side-links.tsx'
import { SECTIONS } from './section-paths.ts'
import { hasChange } from './settings-form.tsx'

const ICONS: Record<keyof typeof SECTIONS, LucideIcon> = {
  profile: UserRound,
  signIn: KeyRound,
  writing: Pencil,
  notifications: Bell,
  language: Globe,
  files: Image,
  data: Archive,
  deletion: Trash2,
}

const NAMES = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]
const LINKS = NAMES.map((name) => ({
  to: SECTIONS[name],
  name: texts.settingsSections[name],
  Icon: ICONS[name],
  startsGroup: name === 'deletion',
}))

/** When the settings were one page, these led to parts of it. */
const FORMER_ANCHORS: Readonly<Record<string, string>> = {
  '#notifications': SECTIONS.notifications,
  '#settings-password': SECTIONS.signIn,
}

export function SettingsFrame() {
  const { userData } = useViewer()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  const formerPath = pathname === SECTIONS.profile ? FORMER_ANCHORS[hash] : undefined
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
