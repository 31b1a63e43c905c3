// Shows whether the user's email address is verified, and requests the mail that verifies it.
import { BadgeCheck, Mail } from 'lucide-react'
import type { Account } from '#contract/accounts.ts'
import { roleOf } from '#contract/permissions.ts'
import { failureOf, useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import type { ButtonKind } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { MailButton, useMailRequest } from './mail-requests.tsx'
import { useViewer } from './viewer.tsx'

/** Says beside an email address that it is verified. */
export function EmailState({ isVerified }: { isVerified: boolean }) {
  if (!isVerified) return null
  return (
    <span className="chip chip--on chip--icon">
      <BadgeCheck className="icon icon--small" aria-hidden="true" />
      {texts.emailState.verified}
    </span>
  )
}

/** Says that the address is not verified yet, and requests the mail or link that verifies it. */
export function VerificationLine() {
  const { userData } = useViewer()
  const { settings } = useApi()
  if (settings.mail === 'off' || !userData || userData.emailVerification) return null
  // The key ends the pause between mails when the address changes.
  return <OpenVerification key={userData.email} account={userData} />
}

function OpenVerification({ account: { email, labels } }: { account: Account }) {
  const { settings } = useApi()
  const mail = useVerificationMail()
  const isKept = settings.mail === 'kept'
  const { notVerified, sentTo, send, askOperator } = texts.emailState
  return (
    <p className="verification-line">
      <Mail className="icon icon--small" aria-hidden="true" />
      <span>
        <span role="status">
          {mail.failure?.message}
          {!mail.failure && mail.sentTo === undefined && (
            <>
              {notVerified(<bdi>{email}</bdi>)} {isKept && askOperator}
            </>
          )}
          {mail.sentTo !== undefined &&
            (isKept ? texts.outboxMails.created : sentTo(<bdi>{email}</bdi>))}
        </span>{' '}
        <MailButton
          mail={mail}
          label={isKept ? texts.outboxMails.createLink : send}
          busyLabel={isKept ? texts.outboxMails.creatingLink : texts.mails.sendingMail}
          onClick={() => void mail.send(email)}
        />{' '}
        {isKept && roleOf(labels) === 'operator' && (
          <Link className="link" to="/admin/mails">
            {texts.outboxMails.seeKept}
          </Link>
        )}
      </span>
    </p>
  )
}

function useVerificationMail() {
  const { account } = useApi()
  const { refresh } = useViewer()
  return useMailRequest(async () => {
    try {
      await account.createVerification(`${location.origin}/verification`)
    } catch (error) {
      // Already confirmed on another device: the screen is outdated.
      if (failureOf(error).code === 409) await refresh()
      throw error
    }
  })
}

/** @param props `label` is the text of the button if the server sends mail */
export function VerificationMailButton({ label, kind }: { label: string; kind: ButtonKind }) {
  const { settings } = useApi()
  const { userData } = useViewer()
  const mail = useVerificationMail()
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
