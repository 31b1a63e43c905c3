// Which pages and links the header and the footer have, and in which order (api.md §15.21).
import {
  BLOG_LINKS_MAX,
  type BlogLink,
  type BlogLinks,
  HEADER_LINKS_MAX,
  LINK_ADDRESS_MAX_CHARS,
  LINK_NAME_MAX_CHARS,
} from '#contract/blog-links.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { graphemesOf } from '#contract/graphemes.ts'
import type { NewBlogLinks } from '#contract/operator.ts'
import { cleanLine, isVisible } from '#contract/visible-text.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { readLinks, type StoredLink, writeLinks } from '../site/blog-links.ts'
import type { BaseContext } from '../site/context.ts'
import { lockOperators } from '../site/site.ts'
import { recordValueChange } from './site-values.ts'

/**
 * Replaces the arrangement. Pages that the list leaves out come after the others, in neither place.
 *
 * @throws Refusal `document_update_conflict` when another operator has changed it meanwhile,
 *   `page_count_exceeded`, `general_argument_invalid`
 */
export async function setLinks(
  { db, background, now, publicUrl }: BaseContext,
  actor: Viewer,
  { version, list }: NewBlogLinks,
): Promise<BlogLinks> {
  const links = list.map((link) => ('page' in link ? link : checkLink(link, publicUrl)))
  return inTransaction(db, background, async (tx) => {
    await lockOperators(tx)
    const before = await readLinks(tx)
    if (before.version !== version) throw new Refusal('document_update_conflict')
    refuseWrongList(links, before.list)
    await writeLinks(tx, links)
    const after = await readLinks(tx)
    await recordValueChange(tx, actor, now(), {
      name: 'links',
      before: describe(before.list),
      after: describe(after.list),
    })
    return after
  })
}

function refuseWrongList(links: StoredLink[], before: BlogLink[]): void {
  const pageIds = before.flatMap(({ $id, isPage }) => (isPage ? [$id] : []))
  const keys = links.map((link) => ('page' in link ? link.page : link.to))
  const unknown = links.find((link) => 'page' in link && !pageIds.includes(link.page))
  if (unknown) throw invalidParam('list', 'Value names a page that does not exist')
  if (new Set(keys).size < keys.length) throw invalidParam('list', 'Value names something twice')
  const linkCount = links.filter((link) => !('page' in link)).length
  if (pageIds.length + linkCount > BLOG_LINKS_MAX) throw new Refusal('page_count_exceeded')
  if (links.filter(({ inHeader }) => inHeader).length > HEADER_LINKS_MAX)
    throw invalidParam('list', `The header holds ${HEADER_LINKS_MAX} pages and links`)
}

/** In UTF-16 units: a letter may have marks, and an emoji several parts. */
const NAME_MAX_UNITS = 20 * LINK_NAME_MAX_CHARS

type NewLink = Extract<StoredLink, { name: string }>

/** Links to the blog itself are stored as paths. @throws Refusal `general_argument_invalid` */
function checkLink({ name, to, inHeader, inFooter }: NewLink, publicUrl: string): NewLink {
  const line = cleanLine(name)
  const isLine = isVisible(line) && !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(line)
  if (!isLine || line.length > NAME_MAX_UNITS || graphemesOf(line).length > LINK_NAME_MAX_CHARS)
    throw invalidParam(
      'name',
      `Value must be one line of text of 1 to ${LINK_NAME_MAX_CHARS} letters`,
    )
  const url = to.length > LINK_ADDRESS_MAX_CHARS ? null : URL.parse(to.trim(), publicUrl)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !isWeb || url.username !== '' || url.password !== '')
    throw invalidParam('to', 'Value must be a path of the blog or an address such as https://…')
  // Browsers take a path that begins with two slashes for the address of another site.
  const isPath = url.origin === new URL(publicUrl).origin && !url.pathname.startsWith('//')
  const address = isPath ? url.pathname + url.search + url.hash : url.href
  return { name: line, to: address, inHeader, inFooter }
}

/** For Activity. */
function describe(list: BlogLink[]): string {
  const names = (place: 'inHeader' | 'inFooter') =>
    list.flatMap((link) => (link[place] ? [link.name] : [])).join(', ')
  return `header: ${names('inHeader') || '–'}; footer: ${names('inFooter') || '–'}`
}
