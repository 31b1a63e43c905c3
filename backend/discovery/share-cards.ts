// A post as guests see it, and the texts and avatar of its share card. Cards are copied by caches
// and other sites, so they always show a guest's view. The room `files` draws them.

import { accentForTheme, DEFAULT_ACCENT } from '#contract/accent.ts'
import { Refusal, undefinedIfRefused } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import type { PostDocument } from '#contract/posts.ts'
import { readVisible } from '../files/file-changes.ts'
import { AVATAR_SIDE } from '../files/initials.ts'
import { readPreviewParams } from '../files/preview-params.ts'
import { GUEST } from '../http/viewer.ts'
import { readPost } from '../posts/read-post.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import type { DiscoveryContext } from './context.ts'
import { readLogo } from './logo.ts'

/** The fields of a post that cards and descriptions show. */
export type PublicPost = Pick<
  PostDocument,
  '$id' | '$createdAt' | '$updatedAt' | 'title' | 'addressWords' | 'userid' | 'userName'
> &
  Required<Pick<PostDocument, 'userAvatar' | 'ownImage'>>

const FIELDS = [
  '$id',
  '$createdAt',
  '$updatedAt',
  'title',
  'addressWords',
  'userid',
  'userName',
  'userAvatar',
  'ownImage',
]

/**
 * @param id from the request, not checked yet
 * @throws Refusal `document_not_found`, also for a post that guests may not read
 */
export async function readPublicPost(context: DiscoveryContext, id: string): Promise<PublicPost> {
  if (!isId(id)) throw new Refusal('document_not_found')
  return (await readPost(context, GUEST, id, [select(FIELDS)])).post as PublicPost
}

function select(values: string[]): string {
  return JSON.stringify({ method: 'select', values })
}

/** Raised when the look of cards changes. */
const CARD_VERSION = 2

/**
 * @param width one of `SHARE_CARD.widths`
 * @throws Refusal `document_not_found`
 */
export async function drawCard(
  context: DiscoveryContext,
  { id, width }: { id: string; width: number },
  caller: QueueCaller,
): Promise<{ post: PublicPost; card: Buffer }> {
  const { siteName, accent, logo } = await context.site.read()
  const light = accent === DEFAULT_ACCENT ? accent : accentForTheme('dark', accent).accent
  const post = await readPublicPost(context, id)
  const { $createdAt, $updatedAt, title, userName, userAvatar } = post
  const postFields = [CARD_VERSION, id, $createdAt, $updatedAt, title, userName, userAvatar]
  const look = [...postFields, siteName, light, logo, context.pages?.textsVersion ?? '', width]
  const card = await context.previews.drawGenerated('card', look, caller, async () => {
    const texts = {
      title,
      author: userName,
      siteName,
      light,
      dateLine: await readLine(context, post),
    }
    const picture = (await readLogo(context, 128, caller))?.toString('base64')
    const options = { texts, width, logo: picture }
    return { bytes: await drawAvatar(context, post, caller), options }
  })
  return { post, card }
}

async function readLine(context: DiscoveryContext, post: PublicPost): Promise<string> {
  if (!context.pages) return ''
  const { words, describeBody: derive, textsVersion: version } = context.pages
  const fields = [select(['highlightedContent'])]
  const { post: postWithBody } = await readPost(context, GUEST, post.$id, fields)
  const html = postWithBody.highlightedContent ?? ''
  const { minutes } =
    version === undefined
      ? derive(html)
      : await context.postTexts.readPageTexts(context.db, post.$id, html, { version, derive })
  return words.postLine(post.$createdAt, minutes)
}

const SIDE = String(AVATAR_SIDE)
const ROUND = { width: SIDE, height: SIDE, output: 'png', borderRadius: String(AVATAR_SIDE / 2) }

async function drawAvatar(
  context: DiscoveryContext,
  { userAvatar }: PublicPost,
  caller: QueueCaller,
): Promise<Buffer | undefined> {
  if (userAvatar === '') return undefined
  // The image may have been deleted meanwhile, or its bytes may be damaged.
  const avatar = await readVisible(context, context.avatarBucketId, userAvatar, GUEST)
    .then((file) => context.previews.read(file, readPreviewParams(ROUND), caller))
    .catch(undefinedIfRefused('storage_file_not_found'))
  return avatar?.bytes
}
