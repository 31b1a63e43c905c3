// Addresses with a malformed percent-escape (`/100%`). The router cannot decode them, so a browser
// is redirected to a spelling that it can.

/**
 * The address with every `%` of a malformed part escaped. Always a path of this site, whatever was
 * sent.
 *
 * @returns undefined when the address does not begin with a slash
 */
export function readablePath(url: string): string | undefined {
  if (!url.startsWith('/')) return undefined
  const [path = '', ...query] = url.split('?')
  const parts = path
    .split('/')
    .map((part) => (isReadable(part) ? part : part.replaceAll('%', '%25')))
  // Two slashes, or what browsers take for them, would lead to another site.
  const readable = parts.join('/').replaceAll('\\', '%5C').replace(/^\/+/, '/')
  return [readable, ...query].join('?')
}

function isReadable(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
