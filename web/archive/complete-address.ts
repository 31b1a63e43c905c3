// The address of an old site, as a person types it.

/**
 * @param typed perhaps without its beginning
 * @returns empty for nothing, undefined when it is no address
 */
export function completeAddress(typed: string): string | undefined {
  const address = typed.trim()
  if (address === '') return ''
  const complete = /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`
  return /^https?:\/\/[^\s/]/i.test(complete) && !/\s/.test(complete) ? complete : undefined
}
