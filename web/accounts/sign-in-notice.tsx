// Why the sign-in form is shown: the session ended, or another page or Google sent the person here
// with a reason.
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { useHistoryState } from '../ui/use-history-state.ts'
import { googleFailureIn } from './google-failure.ts'
import { isAgainIn } from './return-path.ts'
import { useViewer } from './viewer.tsx'

/** What a page puts into the history state when it sends a person to /login. */
export type SignInReason = 'google-not-confirmed' | 'password-changed'

const REASONS: Record<SignInReason, { kind: 'ok' | 'error'; text: string }> = {
  'google-not-confirmed': { kind: 'error', text: texts.googleFailures.notConfirmed },
  'password-changed': { kind: 'ok', text: texts.passwordChanged },
}

export function SignInNotice() {
  const { wasSignedOut } = useViewer()
  const state = useHistoryState()
  const googleFailure = useGoogleFailure()
  if (googleFailure) return <Alert kind="error">{googleFailure}</Alert>
  const reason =
    typeof state === 'object' && state !== null && 'reason' in state ? state.reason : undefined
  if (typeof reason === 'string' && Object.hasOwn(REASONS, reason)) {
    const { kind, text } = REASONS[reason as SignInReason]
    return <Alert kind={kind}>{text}</Alert>
  }
  // Said with the way back (asked-reason.tsx).
  if (isAgainIn(state)) return null
  if (wasSignedOut) return <Alert kind="warn">{texts.failures.signedOut}</Alert>
  return null
}

/** Reads the reason once and removes it from the address; other values (`next`) stay. */
function useGoogleFailure(): string | undefined {
  const { search, pathname, state } = useLocation()
  const navigate = useNavigate()
  const [text] = useState(() => googleFailureIn(search))
  useEffect(() => {
    const values = new URLSearchParams(search)
    if (!values.has('error')) return
    values.delete('error')
    void navigate(
      { pathname, search: values.size > 0 ? `?${values}` : '' },
      { replace: true, state },
    )
  }, [search, pathname, state, navigate])
  return text
}
