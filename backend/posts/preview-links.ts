// Preview links: one secret link for each post that is not published, with which anybody reads its
// newest stored state. Only the hash of the secret is stored (api.md §15.26).
import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import {
  type PostPreviewDocument,
  PREVIEW_LINK_DAYS,
  PREVIEW_SECRET_PATTERN,
  type PreviewLink,
} from '#contract/preview-links.ts'
import { inTransaction } from '../database/transaction.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { hashSecret, makeSecret, secondsAfter } from '../process/ids.ts'
import { can, lockVisible, readEditable, refuseReaders } from './access.ts'
import { toDocument } from './post-serialiser.ts'
import * as store from './preview-links-store.ts'
import { optionalColumnsFor } from './read-post.ts'
import { findPost, type PostRow } from './store.ts'

const DAY_SECONDS = 24 * 60 * 60
const SECRET_BYTES = 20

/**
 * Makes the link of a post; the previous one ends.
 *
 * @throws Refusal `document_not_found`, `user_unauthorized`, `user_blocked`, `user_is_reader`,
 *   `preview_link_needless` for a published post
 */
export async function createLink(
  context: PostsContext,
  viewer: Viewer,
  postId: string,
): Promise<PreviewLink> {
  const { db, background, now } = context
  const secret = makeSecret(SECRET_BYTES)
  return inTransaction(db, background, async (tx) => {
    await refuseReaders(tx, viewer)
    const post = await lockVisible(tx, viewer, postId, undefined)
    if (!can(viewer, 'edit', post)) throw new Refusal('user_unauthorized')
    if (!isPreviewable(post)) throw new Refusal('preview_link_needless')
    const time = now()
    const link = {
      postId,
      secretHash: hashSecret(secret),
      createdAt: time.toISOString(),
      expiresAt: secondsAfter(time, PREVIEW_LINK_DAYS * DAY_SECONDS),
    }
    await store.replaceLink(tx, link)
    return toLink({ ...link, opens: 0, lastOpenedAt: '' }, secret)
  })
}

/** @returns null when there is none. @throws Refusals as {@link readEditable} does */
export async function readLink(
  { db, now }: PostsContext,
  viewer: Viewer,
  postId: string,
): Promise<PreviewLink | null> {
  await readEditable(db, viewer, postId)
  const link = await store.findLinkOf(db, postId)
  return link && isValid(link, now()) ? toLink(link, '') : null
}

/** @throws Refusals as {@link readEditable} does */
export async function withdrawLink(
  { db, background }: PostsContext,
  viewer: Viewer,
  postId: string,
): Promise<void> {
  await readEditable(db, viewer, postId)
  await inTransaction(db, background, (tx) => store.deleteLinkOf(tx, postId))
}

/**
 * The newest stored state of a post, for whoever has its link.
 *
 * @param isCounted false when an open page looks for a newer state
 * @throws Refusal `preview_link_ended`
 */
export async function readPreview(
  context: PostsContext,
  viewer: Viewer,
  secret: string,
  { isCounted }: { isCounted: boolean },
): Promise<PostPreviewDocument> {
  const { db, background, now } = context
  if (!PREVIEW_SECRET_PATTERN.test(secret)) throw new Refusal('preview_link_ended')
  const secretHash = hashSecret(secret)
  const link = await store.findLink(db, secretHash)
  if (!link || !isValid(link, now())) throw new Refusal('preview_link_ended')
  const optional = optionalColumnsFor(context, GUEST, ['imageColor', 'userAvatar', 'ownImage'])
  const row = await findPost(db, link.postId, { hasContent: true, optional })
  if (!row || !isPreviewable(row)) throw new Refusal('preview_link_ended')
  const document = await toDocument(context, db, GUEST, row, { hasLikeIds: false })
  const highlightedContent = await context.postTexts.highlight(
    db,
    { postId: row.id, authorId: row.userId },
    document.content,
  )
  const isAuthor = viewer.role === 'user' && viewer.userId === row.userId
  if (isCounted && !isAuthor)
    background.run('count of a preview', () =>
      store.recordOpening(db, { secretHash, time: now().toISOString() }),
    )
  return {
    $id: row.id,
    $updatedAt: document.$updatedAt,
    title: document.title,
    content: document.content,
    highlightedContent,
    userName: document.userName,
    userAvatar: row.userAvatar ?? '',
    ownImage: row.ownImage ?? '',
    imageColor: row.imageColor ?? '',
    tags: document.tags ?? [],
    expire: wireTime(link.expiresAt),
  }
}

export async function sweepPreviewLinks({ db, now }: PostsContext): Promise<void> {
  await store.deleteExpired(db, now().toISOString())
}

/** A link says nothing of posts that are published, hidden by an operator, or of blocked people. */
function isPreviewable(post: Pick<PostRow, 'status' | 'isHidden' | 'isAuthorBlocked'>): boolean {
  return post.status !== 'active' && post.isHidden === 0 && post.isAuthorBlocked === 0
}

function isValid({ expiresAt }: store.PreviewLinkRow, now: Date): boolean {
  return expiresAt > now.toISOString()
}

function toLink(
  { expiresAt, opens, lastOpenedAt }: store.PreviewLinkRow,
  secret: string,
): PreviewLink {
  return {
    secret,
    expire: wireTime(expiresAt),
    opens,
    lastOpenedAt: lastOpenedAt === '' ? '' : wireTime(lastOpenedAt),
  }
}
