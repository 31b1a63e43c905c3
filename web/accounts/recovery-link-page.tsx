// /verifyUserEmailLink: the page that recovery links open, a form that asks for the new password
// twice (product.md §2.3, §O6). The values of the link are removed from the address.
import { Mail } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useApi } from '../api/client.ts'
import { requireSamePasswords } from '../forms/form-failure.ts'
import { NewPasswordFields, UsernameHint } from '../forms/form-parts.tsx'
import { useForm } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { MessageScreen } from '../ui/screens.tsx'
import { AccountCard } from './account-card.tsx'
import type { LinkValues } from './accounts-api.ts'
import { linkValuesIn, OnwardLink, useQueryOnce } from './emailed-links.tsx'
import type { SignInReason } from './sign-in-reason.tsx'
import { useViewer } from './viewer.tsx'

export function RecoveryLinkPage() {
  const email = useAddressInFragment()
  const link = useQueryOnce(linkValuesIn)
  return link ? <NewPasswordForm link={link} email={email} /> : <NoLink isExpired={false} />
}

/**
 * The email address in the link's fragment, which browsers do not send to servers. Call this before
 * `useQueryOnce`.
 */
function useAddressInFragment(): string {
  const { hash } = useLocation()
  const [email, setEmail] = useState('')
  useEffect(() => {
    if (hash) setEmail(new URLSearchParams(hash.slice(1)).get('email') ?? '')
  }, [hash])
  return email
}

function NoLink({ isExpired }: { isExpired: boolean }) {
  const { settings } = useApi()
  const isInOutbox = settings.mail === 'kept'
  const expired = isInOutbox ? texts.outboxMails.expired : texts.recoveryLink.expired
  return (
    <MessageScreen
      screen={texts.recoveryLink.screen}
      art="off"
      title={isExpired ? texts.mailNotices.expired : texts.recoveryLink.incomplete}
      isAlert
      actions={
        <>
          {settings.mail !== 'off' && (
            <ButtonLink kind="primary" to="/forgot" Icon={Mail}>
              {isInOutbox ? texts.outboxMails.createLink : texts.mails.newLink}
            </ButtonLink>
          )}
          <OnwardLink kind="secondary" />
        </>
      }
    >
      <p>{isExpired ? expired : texts.recoveryLink.incompleteText}</p>
    </MessageScreen>
  )
}

type NewPasswordFormProps = {
  link: LinkValues
  /** The address of the account; empty if the link does not name it. */
  email: string
}

function NewPasswordForm({ link: { userId, secret }, email }: NewPasswordFormProps) {
  const { account } = useApi()
  const { setSignedOut } = useViewer()
  const navigate = useNavigate()
  const { isBusy, failure, handleSubmit } = useForm(async (read) => {
    const password = requireSamePasswords(read)
    await account.updateRecovery(userId, secret, password, password)
    setSignedOut() // the server has ended every session, including this browser's
    const reason: SignInReason = 'password-changed'
    await navigate('/login', { replace: true, state: { reason } })
  })
  if (failure?.isLinkSpent) return <NoLink isExpired />
  return (
    <AccountCard title={texts.newPassword.title} screen={texts.newPassword.title}>
      {failure && <Alert kind="error">{failure.message}</Alert>}
      <form method="post" noValidate aria-label={texts.newPassword.form} onSubmit={handleSubmit}>
        <UsernameHint email={email} />
        <NewPasswordFields failure={failure} />
        <Button
          kind="primary"
          type="submit"
          isWide
          isBusy={isBusy}
          busyLabel={texts.newPasswordSaving.busy}
        >
          {texts.newPasswordSaving.button}
        </Button>
      </form>
    </AccountCard>
  )
}
