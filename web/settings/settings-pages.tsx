// The pages of the settings, inside their frame (settings-frame.tsx).
import { useState } from 'react'
import type { Session } from '#contract/accounts.ts'
import type { OwnFiles } from '#contract/files.ts'
import type { MailChoices, MutedPosts } from '#contract/notifications.ts'
import { useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { DeleteAccountSection } from './deletion-section.tsx'
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
import { useAccount } from './settings-frame.tsx'
import { type SignInMethod, SignInMethodsSection } from './sign-in-methods-section.tsx'

/** The lists that the server loads with a page. If one is missing, the browser loads it. */
export type InitialSettings = {
  sessions?: Session[]
  methods?: SignInMethod[]
  files?: OwnFiles
  mails?: MailChoices
  muted?: MutedPosts
}

function useInitialSettings(userId: string): InitialSettings {
  const result = useInitialData<InitialSettings>(userId)
  return result?.ok ? result.value : {}
}

export function ProfileSettings() {
  const account = useAccount()
  return (
    <>
      <NameSection account={account} />
      <AboutSection account={account} />
      <AppearanceSection />
    </>
  )
}

export function SignInSettings() {
  const account = useAccount()
  const initial = useInitialSettings(account.$id)
  const [reloadKey, setReloadKey] = useState(0)
  const [isPasswordOpen, setPasswordOpen] = useState(false)
  function openPassword() {
    setPasswordOpen(true)
    const field = `#${PASSWORD_SECTION_ID} input[type="password"]`
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>(field)?.focus())
  }
  const handleSessionsEnded = () => setReloadKey((current) => current + 1)
  return (
    <>
      <EmailSection account={account} />
      <PasswordSection
        account={account}
        isOpen={isPasswordOpen}
        onToggle={setPasswordOpen}
        onChanged={handleSessionsEnded}
      />
      <SignInMethodsSection
        account={account}
        initial={initial.methods}
        reloadKey={reloadKey}
        onPasswordChosen={openPassword}
        onRemoved={handleSessionsEnded}
      />
      <SessionsSection initial={initial.sessions} reloadKey={reloadKey} />
    </>
  )
}

export function WritingSettings() {
  const { settings } = useApi()
  return (
    <>
      <WritingSection />
      {settings.hasReadCounts && <ReadCountsSection />}
    </>
  )
}

export function NotificationSettings() {
  const { mails, muted } = useInitialSettings(useAccount().$id)
  return <NotificationsSection mails={mails} muted={muted} />
}

export function LanguageSettings() {
  return <DatesSection />
}

export function FileSettings() {
  return <FilesSection initial={useInitialSettings(useAccount().$id).files} />
}

export function AccountDeletion() {
  return <DeleteAccountSection account={useAccount()} />
}
