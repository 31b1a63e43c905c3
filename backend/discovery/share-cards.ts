// The card of a post: which post, what it says, and whose face is on it. Drawing is in files.
import { Refusal } from '#contract/errors.ts'
import type { DescribeBody, SiteWords } from '#contract/pages.ts'
import type { Files } from '../files/files.ts'
import type { ImageAsker } from '../files/image-queue.ts'
import { readPreviewParams } from '../files/preview-params.ts'
import { GUEST } from '../http/viewer.ts'
import { type PostsNeeds, type PublicPost, readPublicBody, readPublicPost } from './public-posts.ts'

/** What the web part says of posts; undefined while there are no pages: cards have no line then. */
export type CardWords = {
  words: Pick<SiteWords, 'postLine'>
  describeBody: DescribeBody
  textsVersion: string | undefined
}
export type CardsNeeds = PostsNeeds & {
  files: Pick<Files, 'drawCard' | 'readVisible' | 'preview'>
  siteName: string
  avatarBucketId: string
  cardWords: CardWords | undefined
}
/** Counts up when cards look different. */
const CARD_VERSION = 2

/**
 * @param width one of `SHARE_CARD.widths`
 * @throws Refusal `document_not_found`
 */
export async function drawCard(
  needs: CardsNeeds,
  { id, width }: { id: string; width: number },
  asker: ImageAsker,
): Promise<Buffer> {
  const { siteName } = needs
  const post = await readPublicPost(needs, id)
  const { $createdAt, $updatedAt, title, userName, userAvatar } = post
  const shown = [CARD_VERSION, id, $createdAt, $updatedAt, title, userName, userAvatar]
  const key = JSON.stringify([...shown, siteName, needs.cardWords?.textsVersion ?? ''])
  const read = async () => ({
    ...{ title, author: userName, siteName },
    line: await readLine(needs, post),
  })
  const readFace = (sidePixels: number) => findFace(needs, post, { sidePixels, asker })
  return needs.files.drawCard({ key, width, read, readFace }, asker)
}

async function readLine(needs: CardsNeeds, post: PublicPost): Promise<string> {
  if (!needs.cardWords) return ''
  const { words, describeBody: make, textsVersion: version } = needs.cardWords
  const html = await readPublicBody(needs, post.$id)
  const { minutes } =
    version === undefined
      ? make(html)
      : await needs.posts.deriveTexts(post.$id, html, { version, make })
  return words.postLine(post.$createdAt, minutes)
}

async function findFace(
  { files, avatarBucketId }: CardsNeeds,
  { userAvatar }: PublicPost,
  { sidePixels, asker }: { sidePixels: number; asker: ImageAsker },
): Promise<Buffer | undefined> {
  if (userAvatar === '') return undefined
  const side = String(sidePixels)
  const params = readPreviewParams({
    ...{ width: side, height: side, output: 'png' },
    borderRadius: String(sidePixels / 2),
  })
  try {
    const file = await files.readVisible(avatarBucketId, userAvatar, GUEST)
    return (await files.preview(file, params, asker)).bytes
  } catch (error) {
    // The image has gone since, or its bytes are damaged.
    if (error instanceof Refusal && error.type === 'storage_file_not_found') return undefined
    throw error
  }
}
