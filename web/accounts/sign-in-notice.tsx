// Why somebody finds themselves at the sign-in form: their session ended, or another page sent them with a reason.
import { useLocation } from 'react-router'
import { Alert } from '../ui/alert.tsx'
import { useViewer } from './viewer.tsx'

/** What a page puts into the history state when it sends somebody to /login. */
export type SignInReason = 'google-not-confirmed'

const REASONS: Record<SignInReason, string> = { 'google-not-confirmed': 'Google did not confirm this sign-in.' }

export function SignInNotice() {
  const { wasSignedOut } = useViewer()
  const { state } = useLocation()
  const reason = typeof state === 'object' && state !== null && 'reason' in state ? state.reason : undefined
  if (typeof reason === 'string' && Object.hasOwn(REASONS, reason)) return <Alert kind="error">{REASONS[reason as SignInReason]}</Alert>
  if (wasSignedOut) return <Alert kind="warn">You were signed out. Sign in to go on.</Alert>
  return null
}
