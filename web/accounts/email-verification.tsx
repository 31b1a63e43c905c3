// Shows whether the user's email address is verified, and requests the mail that verifies it.
import { BadgeCheck, Mail } from 'lucide-react'
import { failureOf, useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import type { ButtonKind } from '../ui/button.tsx'
import { MailButton, useMailRequest } from './mail-requests.tsx'
import { useViewer } from './viewer.tsx'

/**
 * Says beside an email address whether it is verified. Renders nothing if it is not and the server
 * sends no mail that could verify it.
 */
export function EmailState({ isVerified }: { isVerified: boolean }) {
  const { settings } = useApi()
  if (!isVerified && settings.mail !== 'sent') return null
  const Icon = isVerified ? BadgeCheck : Mail
  return (
    <span className={isVerified ? 'chip chip--on chip--icon' : 'chip chip--icon'}>
      <Icon className="icon icon--small" aria-hidden="true" />
      {isVerified ? texts.emailState.verified : texts.emailState.notVerified}
    </span>
  )
}

/** Shown on the dashboard if the server sends mail and the address is not verified yet. */
export function VerificationBanner() {
  const { settings } = useApi()
  const { userData } = useViewer()
  if (settings.mail !== 'sent' || !userData || userData.emailVerification) return null
  return (
    <section
      className="alert alert--warn verification-banner"
      aria-label={texts.verificationBanner.label}
    >
      <Mail className="icon" aria-hidden="true" />
      <p>
        <b>{texts.verificationBanner.title}</b>{' '}
        {texts.verificationBanner.text(<bdi>{userData.email}</bdi>)}
      </p>
      <div className="row">
        <VerificationMailButton label={texts.emailState.send} kind="secondary" />
      </div>
    </section>
  )
}

/** @param props `label` is the text of the button if the server sends mail */
export function VerificationMailButton({ label, kind }: { label: string; kind: ButtonKind }) {
  const { settings, account } = useApi()
  const { userData, refresh } = useViewer()
  const mail = useMailRequest(async () => {
    try {
      await account.createVerification(`${location.origin}/verification`)
    } catch (error) {
      // Already confirmed on another device: the screen is outdated.
      if (failureOf(error).code === 409) await refresh()
      throw error
    }
  })
  const isInOutbox = settings.mail === 'kept'
  return (
    <>
      <span role="status" className="form-message">
        {mail.failure?.message}
        {mail.sentTo !== undefined &&
          (isInOutbox ? texts.outboxMails.created : texts.mailNotices.sent)}
      </span>
      <MailButton
        mail={mail}
        label={isInOutbox ? texts.outboxMails.createLink : label}
        busyLabel={isInOutbox ? texts.outboxMails.creatingLink : texts.mails.sendingMail}
        kind={kind}
        onClick={() => void mail.send(userData?.email ?? '')}
      />
    </>
  )
}
