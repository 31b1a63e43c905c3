// The form at the end of a recovery link: the new password twice (product.md §2.3).
import { useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { AccountCard } from './account-card.tsx'
import { PASSWORDS_DIFFER } from './form-failure.ts'
import { isUnusableLink } from './link-values.ts'
import { type LinkValues, recoverPassword } from './mail-links-api.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import type { SignInReason } from './sign-in-notice.tsx'
import { textOf, useForm } from './use-form.ts'
import { UsernameHint } from './username-hint.tsx'
import { useViewer } from './viewer.tsx'

type NewPasswordFormProps = {
  link: LinkValues
  /** Whose password it is; empty where the link does not say so. */
  email: string
  /** The link turned out to be of no more use. */
  onExpired: () => void
}

export function NewPasswordForm({ link, email, onExpired }: NewPasswordFormProps) {
  const api = useApi()
  const { setSignedOut } = useViewer()
  const navigate = useNavigate()
  const { isBusy, failure, handleSubmit } = useForm(async (values) => {
    const password = textOf(values, 'password')
    if (password !== textOf(values, 'passwordAgain')) return PASSWORDS_DIFFER
    try {
      await recoverPassword(api, link, password)
    } catch (error) {
      if (!isUnusableLink(error)) throw error
      onExpired()
      return undefined
    }
    setSignedOut() // every session has ended, this browser's too
    const reason: SignInReason = 'password-changed'
    await navigate('/login', { replace: true, state: { reason } })
    return undefined
  })
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
