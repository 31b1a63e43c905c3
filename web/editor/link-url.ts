// Parses the addresses of links as writers type them.

const WEB = /^https?:\/\/[^\s/?#]+\S*$/i
const OWN_PATH = /^\/(?!\/)\S*$/
const MAIL = /^mailto:[^\s@]+@[^\s@]+$/i
const PHONE = /^tel:[\d+().-]+$/i
const BARE_MAIL = /^[^\s@/:]+@[^\s@/]+\.[^\s@/]+$/
const BARE_HOST = /^(?:\/\/)?[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?$/i

/**
 * The address that the typed text stands for, with a scheme if the writer left it out; undefined if
 * the text is not an address.
 */
export function findLinkAddress(typed: string): string | undefined {
  const address = typed.trim()
  if ([WEB, OWN_PATH, MAIL, PHONE].some((form) => form.test(address))) return address
  if (BARE_MAIL.test(address)) return `mailto:${address}`
  if (BARE_HOST.test(address)) return `https://${address.replace(/^\/\//, '')}`
  return undefined
}
