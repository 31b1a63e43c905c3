// Addresses with a "%" that begins no letter. No route can be found for one as it stands, so a
// browser is led to its readable spelling.

/**
 * The address with every "%" of an unreadable part written out, so that it means itself; a path of
 * this site whatever came.
 *
 * @returns undefined when it begins like no path
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
