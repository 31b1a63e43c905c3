// What /login says when Google sent somebody back without a session. Knows nothing of how it looks.

const TEXTS: Record<string, string> = {
  user_oauth2_provider_error: 'Google did not confirm this sign-in.',
  user_oauth2_bad_request: 'This sign-in took too long or was begun in another browser. Try again.',
  user_blocked: 'This account has been blocked.',
  user_already_exists: 'An account with this email exists already. Sign in with its password.',
  user_email_already_exists: 'An account with this email exists already. Sign in with its password.',
  user_email_not_verified: 'Google has not verified this email address, so it cannot be used here.',
  user_count_exceeded: 'Registration is closed. Nobody with this email has an account here.',
  user_auth_method_unsupported: 'Registration is closed. Nobody with this email has an account here.',
  project_provider_disabled: 'Signing in with Google is switched off here.',
  general_rate_limit_exceeded: 'Too many tries. Wait a minute.',
}
const ANY_OTHER = 'Signing in with Google did not work. Try again.'

/**
 * The words are ours: the address of a page can be made by anybody, so the message in it is never shown.
 *
 * @param search the query of /login; its `error` is JSON with a refusal's `type` (contract §2.4)
 * @returns undefined when there is no `error`
 */
export function googleFailureIn(search: string): string | undefined {
  const sent = new URLSearchParams(search).get('error')
  if (sent === null) return undefined
  const type = typeIn(sent)
  return type !== undefined && Object.hasOwn(TEXTS, type) ? TEXTS[type] : ANY_OTHER
}

function typeIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' ? value.type : undefined
  } catch {
    return undefined
  }
}
