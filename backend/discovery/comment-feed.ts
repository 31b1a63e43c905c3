// The newest comments of a post as an Atom feed of plain text, as a guest reads them.
// @source RFC 4287

import type { FastifyInstance } from 'fastify'
import type { CommentDocument } from '#contract/comments.ts'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { RATE, UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { truncateText } from '#contract/plain-text.ts'
import { postPath } from '#contract/post-url.ts'
import { isolateBidi } from '#contract/visible-text.ts'
import { listNewestShown } from '../comments/read-comments.ts'
import { tagOfPost, tagOfUser } from '../database/cache-tags.ts'
import { networkOf } from '../http/rate-limits.ts'
import type { DiscoveryContext } from './context.ts'
import { requirePublicList, sendPublic, toPublicResponse } from './public-response.ts'
import { readPublicPost } from './share-cards.ts'
import { type Xml, xml, xmlDocument } from './xml.ts'

const PATH = '/post/:id/comments.xml'
const COST_MS = 5
const TITLE_MAX_CHARS = 80

export function addCommentFeeds(app: FastifyInstance, context: DiscoveryContext): void {
  app.get<{ Params: { id: string } }>(PATH, async (request, reply) => {
    const { id } = request.params
    const key = networkOf(request.ip)
    return await sendPublic(context, `/post/${id}/comments.xml`, request, reply, async () => {
      await requirePublicList(context)
      const rule = RATE.listWorkPerUser
      context.rateLimits.take([{ name: 'list work', rule, key, amount: COST_MS }])
      if (!isId(id)) throw new Refusal('document_not_found')
      const { text, tags } = await write(context, id)
      return toPublicResponse('application/atom+xml; charset=utf-8', text, tags, {
        headers: {
          'access-control-allow-origin': '*',
          'content-security-policy': "default-src 'none'; sandbox",
        },
      })
    })
  })
}

/** @throws Refusal `document_not_found` */
async function write(
  context: DiscoveryContext,
  id: string,
): Promise<{ text: string; tags: string[] }> {
  const { siteName, publicUrl } = await context.site.read()
  const post = await readPublicPost(context, id)
  const comments = await listNewestShown(context, id)
  const pageUrl = publicUrl + postPath(post)
  const times = comments.map(updatedAt).sort()
  const text = xmlDocument(xml`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${`${publicUrl}/post/${id}#comments`}</id>
<title>${`Comments: ${isolateBidi(post.title)} · ${siteName}`}</title>
<updated>${times.at(-1) ?? post.$createdAt}</updated>
<link rel="self" href="${`${publicUrl}/post/${id}/comments.xml`}" type="application/atom+xml"/>
<link rel="alternate" href="${pageUrl}" type="text/html"/>
<generator>Lamplight</generator>
${comments.map((comment) => toEntry(comment, { publicUrl, pageUrl }))}</feed>`)
  const writerTags = comments.map(({ userId }) => tagOfUser(userId))
  return { text, tags: [tagOfPost(id), ...new Set(writerTags)] }
}

function updatedAt({ editedAt, $createdAt }: CommentDocument): string {
  return editedAt || $createdAt
}

function toEntry(
  comment: CommentDocument,
  { publicUrl, pageUrl }: { publicUrl: string; pageUrl: string },
): Xml {
  const { $id, postId, userId, userName, content, $createdAt } = comment
  return xml`<entry>
<id>${`${publicUrl}/post/${postId}#c-${$id}`}</id>
<title>${truncateText(content.replace(/\s+/g, ' '), TITLE_MAX_CHARS)}</title>
<published>${$createdAt}</published>
<updated>${updatedAt(comment)}</updated>
<author><name>${userName || UNKNOWN_USER_NAME}</name>${userId === '' ? undefined : xml`<uri>${`${publicUrl}/author/${userId}`}</uri>`}</author>
<link rel="alternate" href="${`${pageUrl}?comment=${$id}#c-${$id}`}" type="text/html"/>
<content>${content}</content>
</entry>
`
}
