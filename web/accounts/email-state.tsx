// The chip beside an e-mail address: verified or not; nothing where no mail can verify it.
import { BadgeCheck, Mail } from 'lucide-react'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'

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
