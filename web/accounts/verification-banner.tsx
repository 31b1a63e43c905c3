// On the dashboard of somebody whose address is not confirmed yet (design §4).
import { MailWarning } from 'lucide-react'
import { useApi } from '../api/api-context.tsx'
import { VerificationMailButton } from './verification-mail-button.tsx'
import { useViewer } from './viewer.tsx'

export function VerificationBanner() {
  const { settings } = useApi()
  const { userData } = useViewer()
  if (!settings.hasMail || !userData || userData.emailVerification) return null
  return (
    <section className="alert alert--warn verify" aria-label="Email verification">
      <MailWarning className="i" aria-hidden="true" />
      <p>
        <b>Your email is not verified yet.</b> Confirm <bdi>{userData.email}</bdi> so that you can always get back into your account.
      </p>
      <div className="row">
        <VerificationMailButton label="Send verification email" kind="secondary" />
      </div>
    </section>
  )
}
