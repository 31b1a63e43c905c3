// Which words of `status` mean that a post is public (`BLOG_PUBLIC_STATUSES`): programs have their
// own. Rules, indexes and screens know `active` alone.

/** `active` for a public post; a word that is not public else. */
export function ruledStatus(publicStatuses: readonly string[], word: string): string {
  if (publicStatuses.includes(word)) return 'active'
  return word === 'active' ? 'inactive' : word
}

/** The word of a post that is to be public, where nobody has said another one. */
export function publicWord(publicStatuses: readonly string[]): string {
  const [first = 'active'] = publicStatuses
  return publicStatuses.includes('active') ? 'active' : first
}
