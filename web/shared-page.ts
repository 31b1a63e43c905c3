// The page of a post as any member sees it, with places for what is one member's own: it is
// rendered once for many of them. Not part of the browser's code.
import { randomUUID } from 'node:crypto'
import type { Account } from '#contract/accounts.ts'
import { FACE_SIDES } from '#contract/image-sizes.ts'
import { avatarAddress, avatarOf } from './accounts/avatar-address.ts'
import type { Api } from './api/client.ts'
import { texts } from './locales/texts.ts'

/** Stands in every place, and nowhere else: nobody can name it. */
const MARK = randomUUID()

/** In place of the nonce of one answer. */
export const NONCE_PLACE = `${MARK}-nonce`

/** Prefs that a program keeps in great numbers are too many to share pages by. */
const PREFS_MAX_CHARS = 500

/**
 * A member like this one, with places instead of what is their own. What else of an account a page
 * shows depends on the preferences, which it keeps.
 *
 * @returns `key` names all members who have this stand-in; undefined for who is like nobody else
 */
export function standInFor(account: Account): { member: Account; key: string } | undefined {
  const { avatar: _hasItsPlace, about: _isNowhereElse, ...prefs } = account.prefs
  const avatar = avatarOf(account.prefs)
  const { emailVerification } = account
  const key = JSON.stringify([Boolean(avatar), emailVerification, prefs])
  // Who has no name is called otherwise.
  if (account.name === '' || key.length > PREFS_MAX_CHARS) return undefined
  const time = `${MARK}-time`
  const member: Account = {
    ...{ $id: `${MARK}-id`, name: `${MARK}-name`, email: `${MARK}-email` },
    ...{ $createdAt: time, $updatedAt: time, registration: time, accessedAt: time },
    ...{ status: true, labels: [], passwordUpdate: time },
    ...{ phone: '', emailVerification, phoneVerification: false },
    prefs: { ...prefs, ...(avatar ? { avatar: `${MARK}-avatar` } : {}) },
  }
  return { member, key }
}

/**
 * Puts what is this account's own into its places.
 *
 * @param html of a page that was rendered for the stand-in `member`
 * @returns undefined when the page has a place that is not known
 */
export function fillShared(
  html: string,
  { api, account, member, nonce }: { api: Api; account: Account; member: Account; nonce: string },
): string | undefined {
  const sidePixels = 2 * FACE_SIDES.viewer
  const ownTexts = (of: Account, nonce: string): string[] => [
    jsonInPage(of),
    escapeText(avatarAddress(api, of, sidePixels)),
    escapeText(texts.accountMenu.button(of.name)),
    JSON.stringify(of.$id),
    nonce,
  ]
  const values = ownTexts(account, nonce)
  const places = ownTexts(member, NONCE_PLACE).map((place, at) => ({
    place,
    markAt: place.indexOf(MARK),
    value: values[at] ?? '',
  }))
  // In one go: each copy of a long page costs.
  const parts: string[] = []
  let from = 0
  for (let at = html.indexOf(MARK); at >= 0; at = html.indexOf(MARK, from)) {
    const found = places.find(({ place, markAt }) => html.startsWith(place, at - markAt))
    if (!found) return undefined
    const begin = at - found.markAt
    parts.push(html.slice(from, begin), found.value)
    from = begin + found.place.length
  }
  return [...parts, html.slice(from)].join('')
}

/** JSON in an element for scripts: no value can end the element. */
export function jsonInPage(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

/** As React writes texts and attributes. */
function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPED[char] ?? char)
}
