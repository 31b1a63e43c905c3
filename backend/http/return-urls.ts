// Addresses to which a caller asks this server to send a user: only listed origins, against open
// redirects. Pure functions.
import { invalidParam } from '#contract/errors.ts'

const URL_MAX_CHARS = 2048

/**
 * The address in its normal form.
 *
 * @param param its name in the call, for the message
 * @param allowedOrigins scheme, host and port; the path is free
 * @throws Refusal `general_argument_invalid`
 * @source api.md §2.3, threat-model.md §9, product.md §O36
 */
export function readReturnUrl(
  param: string,
  text: string,
  allowedOrigins: readonly string[],
): string {
  // Browsers and parsers read backslashes and control characters in different ways.
  const isPlain =
    text.length <= URL_MAX_CHARS && /^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text) && URL.canParse(text)
  const url = isPlain ? new URL(text) : undefined
  if (url && !url.username && !url.password && allowedOrigins.includes(url.origin)) return url.href
  const sites = allowedOrigins.filter((origin) => /^https?:/.test(origin))
  const hosts = [...new Set(sites.map((origin) => new URL(origin).hostname))]
  throw invalidParam(param, `URL host must be one of: ${hosts.join(', ')}`)
}
