// /settings: the viewer's account, a section for each part of it.
import './settings-sheets.css'
import { useRef, useState } from 'react'
import { AboutSection } from '../accounts/about-section.tsx'
import { DataSection } from '../accounts/data-section.tsx'
import { DeleteAccountSection } from '../accounts/delete-account-section.tsx'
import { EmailSection } from '../accounts/email-section.tsx'
import { NameSection } from '../accounts/name-section.tsx'
import { PasswordSection } from '../accounts/password-section.tsx'
import { SessionsSection } from '../accounts/sessions-section.tsx'
import { SignInWaysSection } from '../accounts/sign-in-ways-section.tsx'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { useFirstData } from '../api/first-data.ts'
import { forgetDraftImages } from '../drafts/draft-images.ts'
import { drafts } from '../drafts/drafts.ts'
import { forgetAllImages } from '../files/kept-images.ts'
import { texts } from '../locales/texts.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { DatesSection } from './dates-section.tsx'
import { FilesSection } from './files-section.tsx'
import type { FirstSettings } from './first-settings.ts'
import { ReadNumbersSection } from './read-numbers-section.tsx'
import { WritingSection } from './writing-section.tsx'

export function SettingsPage() {
  const { settings } = useApi()
  const { userData } = useViewer()
  const loaded = useFirstData<FirstSettings>(userData?.$id)
  const first: FirstSettings = loaded?.ok ? loaded.value : {}
  const [sessionsVersion, setSessionsVersion] = useState(0)
  const passwordSection = useRef<HTMLElement>(null)

  function handleEnded() {
    setSessionsVersion((now) => now + 1)
  }
  function handlePassword() {
    passwordSection.current?.querySelector<HTMLInputElement>('input[type="password"]')?.focus()
  }
  return (
    <>
      <PageTitle screen={texts.places.settings} site={settings.siteName} />
      {userData && (
        <div className="settings">
          <h1 className="screen-title">{texts.places.settings}</h1>
          <NameSection account={userData} />
          <AboutSection account={userData} />
          <EmailSection account={userData} />
          <PasswordSection account={userData} ref={passwordSection} onChanged={handleEnded} />
          <SignInWaysSection
            account={userData}
            first={first.ways}
            version={sessionsVersion}
            onPassword={handlePassword}
            onRemoved={handleEnded}
          />
          <AppearanceSection />
          <DatesSection />
          <WritingSection />
          {settings.hasReadCounts && <ReadNumbersSection />}
          <SessionsSection first={first.sessions} version={sessionsVersion} />
          <FilesSection first={first.files} />
          <DataSection />
          <DeleteAccountSection
            account={userData}
            onDeleted={async () => {
              await drafts.deleteAll({ userId: userData.$id })
              await forgetAllImages(userData.$id)
              await forgetDraftImages(userData.$id)
            }}
          />
        </div>
      )}
    </>
  )
}
