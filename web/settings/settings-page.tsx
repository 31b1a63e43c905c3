// /settings: the user's account and preferences, in sections.
import './settings-sheets.css'
import { useState } from 'react'
import type { Session } from '#contract/accounts.ts'
import type { OwnFiles } from '#contract/files.ts'
import type { MailChoices, MutedPosts } from '#contract/notifications.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { texts } from '../locales/texts.ts'
import { PageTitle } from '../ui/screens.tsx'
import { DataSection, DeleteAccountSection } from './data-sections.tsx'
import { FilesSection } from './files-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import {
  AppearanceSection,
  DatesSection,
  ReadCountsSection,
  WritingSection,
} from './preference-sections.tsx'
import {
  AboutSection,
  EmailSection,
  NameSection,
  PASSWORD_SECTION_ID,
  PasswordSection,
} from './profile-sections.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { type SignInMethod, SignInMethodsSection } from './sign-in-methods-section.tsx'

/** The lists that the server loads with the page. If one is missing, the browser loads it. */
export type InitialSettings = {
  sessions?: Session[]
  methods?: SignInMethod[]
  files?: OwnFiles
  mails?: MailChoices
  muted?: MutedPosts
}

export function SettingsPage() {
  const { settings } = useApi()
  const { userData } = useViewer()
  const result = useInitialData<InitialSettings>(userData?.$id)
  const initial: InitialSettings = result?.ok ? result.value : {}
  const [reloadKey, setReloadKey] = useState(0)
  const handleSessionsEnded = () => setReloadKey((current) => current + 1)
  function focusPasswordField() {
    const field = `#${PASSWORD_SECTION_ID} input[type="password"]`
    document.querySelector<HTMLInputElement>(field)?.focus()
  }
  return (
    <>
      <PageTitle screen={texts.places.settings} />
      {userData && (
        <div className="settings">
          <h1 className="screen-title">{texts.places.settings}</h1>
          <NameSection account={userData} />
          <AboutSection account={userData} />
          <EmailSection account={userData} />
          <PasswordSection account={userData} onChanged={handleSessionsEnded} />
          <SignInMethodsSection
            account={userData}
            initial={initial.methods}
            reloadKey={reloadKey}
            onPasswordChosen={focusPasswordField}
            onRemoved={handleSessionsEnded}
          />
          <NotificationsSection mails={initial.mails} muted={initial.muted} />
          <AppearanceSection />
          <DatesSection />
          <WritingSection />
          {settings.hasReadCounts && <ReadCountsSection />}
          <SessionsSection initial={initial.sessions} reloadKey={reloadKey} />
          <FilesSection initial={initial.files} />
          <DataSection />
          <DeleteAccountSection account={userData} />
        </div>
      )}
    </>
  )
}
