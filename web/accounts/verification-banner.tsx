// On the dashboard of a person whose address is not verified yet, where mail is sent.
import { Mail } from 'lucide-react'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { VerificationMailButton } from './verification-mail-button.tsx'
import { useViewer } from './viewer.tsx'

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
