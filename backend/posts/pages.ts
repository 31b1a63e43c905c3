// The rules of the blog's pages, such as "About": posts that only operators write, that have an
// address of their own, and that no list has (access.ts). SQL is in page-store.ts.
import { BLOG_LINKS_MAX, isAppAddress } from '#contract/blog-links.ts'
import { Refusal } from '#contract/errors.ts'
import { addressSegment } from '#contract/post-url.ts'
import { findOtherOperator } from '../accounts/roles.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import { countLinks } from '../site/blog-links.ts'
import { lockOperators } from '../site/site.ts'
import { isPage, mayWritePages } from './access.ts'
import { invalidFormat, type SentData } from './attributes.ts'
import * as store from './page-store.ts'
import { parseDetails } from './post-details.ts'
import type { PostRow } from './store.ts'

/** Pages are open to everybody; operators, not owners, change them. */
export const PAGE_PERMISSIONS = { permissions: '["read(\\"any\\")"]', readers: 'page' } as const

/**
 * Whether the data are those of a new page.
 *
 * @throws Refusal `user_unauthorized` unless the viewer may write pages
 */
export function isNewPage(viewer: Viewer, data: SentData): boolean {
  if (data.page !== true) return false
  if (!mayWritePages(viewer)) throw new Refusal('user_unauthorized')
  return true
}

/**
 * A post stays a post, and a page stays a page that everybody may read.
 *
 * @param permissions as sent
 * @throws Refusal `document_invalid_structure`, `user_unauthorized`
 */
export function refuseOtherKind(
  post: Pick<PostRow, 'readers'>,
  { page }: SentData,
  permissions?: unknown,
): void {
  if (page !== undefined && (page === true) !== isPage(post))
    throw invalidFormat('page', 'as it was when the post was created')
  if (isPage(post) && permissions !== undefined && permissions !== null)
    throw new Refusal('user_unauthorized', 'Everybody may read a page, and operators write it')
}

/** Called before a page is added. @throws Refusal `page_count_exceeded` */
export async function refuseTooManyPages(tx: Database): Promise<void> {
  await lockOperators(tx)
  if ((await store.countPages(tx)) + (await countLinks(tx)) >= BLOG_LINKS_MAX)
    throw new Refusal('page_count_exceeded')
}

type PageToPublish = Pick<PostRow, 'id' | 'title' | 'readers' | 'status' | 'publishAt' | 'details'>

/**
 * Gives an active or scheduled page its address. A draft has none, so that its title can be changed
 * freely; a page that is inactive again keeps its address.
 *
 * @throws Refusal `page_address_taken`, `page_address_reserved`, `document_invalid_structure`
 */
export async function claimAddress(tx: Database, page: PageToPublish): Promise<void> {
  if (!isPage(page) || (page.status !== 'active' && page.publishAt === '')) return
  const { addressWords } = parseDetails(page.details)
  const address = addressSegment({ title: page.title, addressWords })
  if (address === '')
    throw invalidFormat('addressWords', 'words: the title has none for an address')
  if (isAppAddress(address)) throw new Refusal('page_address_reserved')
  const stored = await store.findAddress(tx, address)
  if (stored?.postId === page.id && stored.isCurrent === 1) return
  if (!(await store.setAddress(tx, address, page.id))) throw new Refusal('page_address_taken')
}

/**
 * @returns the id of the page that has, or had, this address
 * @throws Refusal `document_not_found`
 */
export async function readPageId(db: Database, address: string): Promise<string> {
  const stored = await store.findAddress(db, address)
  if (!stored) throw new Refusal('document_not_found')
  return stored.postId
}

/**
 * Before an account is deleted: its pages are the blog's, so they go to another operator. Without
 * one they are deleted with the posts.
 */
export async function handOverPages(tx: Database, userId: string): Promise<void> {
  const pageIds = await store.lockPagesOf(tx, userId)
  const operatorId = pageIds.length > 0 ? await findOtherOperator(tx, userId) : undefined
  if (operatorId !== undefined) await store.handOver(tx, pageIds, { from: userId, to: operatorId })
}
