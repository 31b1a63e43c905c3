// What /login shows when Google sends a person back without a session. Knows nothing of how it
// looks.
import { texts } from '../locales/texts.ts'

const { googleFailures, failures } = texts

/** By the type of the refusal. */
const TEXTS: Record<string, string> = {
  user_oauth2_provider_error: googleFailures.notConfirmed,
  user_oauth2_bad_request: googleFailures.tookTooLong,
  user_blocked: googleFailures.blocked,
  user_already_exists: googleFailures.exists,
  user_email_already_exists: googleFailures.exists,
  user_email_not_verified: googleFailures.notVerified,
  user_count_exceeded: googleFailures.closed,
  user_auth_method_unsupported: googleFailures.closed,
  project_provider_disabled: googleFailures.switchedOff,
  general_rate_limit_exceeded: failures.tooManyTries,
}

/**
 * The texts are ours: anybody can write such an address, so a message in it is never shown.
 *
 * @param search the query of /login; its `error` is JSON with a refusal's `type` (api.md §2.4)
 * @returns undefined when there is no `error`
 */
export function googleFailureIn(search: string): string | undefined {
  const sent = new URLSearchParams(search).get('error')
  if (sent === null) return undefined
  const type = typeIn(sent)
  return type !== undefined && Object.hasOwn(TEXTS, type) ? TEXTS[type] : googleFailures.other
}

function typeIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' &&
      value !== null &&
      'type' in value &&
      typeof value.type === 'string'
      ? value.type
      : undefined
  } catch {
    return undefined
  }
}
