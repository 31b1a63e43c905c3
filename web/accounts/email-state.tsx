// The chip beside an e-mail address: verified or not.
import { BadgeCheck, Mail } from 'lucide-react'
import { texts } from '../locales/texts.ts'

export function EmailState({ isVerified }: { isVerified: boolean }) {
  const Icon = isVerified ? BadgeCheck : Mail
  return (
    <span className={isVerified ? 'chip chip--on chip--icon' : 'chip chip--icon'}>
      <Icon className="icon icon--small" aria-hidden="true" />
      {isVerified ? texts.emailState.verified : texts.emailState.notVerified}
    </span>
  )
}
