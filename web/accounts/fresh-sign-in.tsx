// Above a form that an account without a password sends only from a fresh session: says so, and
// offers to sign in again once the server has asked for it.
import { texts } from '../locales/texts.ts'
import { ReauthenticationLink } from './reauthentication-link.tsx'

type FreshSignInProps = { email: string; text: string; isNeeded: boolean | undefined }

export function FreshSignIn({ email, text, isNeeded = false }: FreshSignInProps) {
  return isNeeded ? (
    <ReauthenticationLink email={email} text={texts.freshSignIn.again} />
  ) : (
    <p className="hint">{text}</p>
  )
}
