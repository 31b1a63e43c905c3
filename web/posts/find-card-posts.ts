// Finds the posts that a link card can show. Loaded with the dialog of link cards, and when the
// address of a post of this blog is pasted on a line of its own.
import { Query } from 'appwrite'
import { postIdInPath, postPath } from '#contract/post-url.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { SearchResults } from '#contract/search.ts'
import { type Api, pathOf, type Result, succeed } from '../api/client.ts'
import type { CardPost } from '../editor/card-posts.ts'
import { previewAddress } from '../files/files-api.ts'
import { excerptOf } from './plain-text.ts'
import { callCollection } from './posts-api.ts'

const POSTS_MAX = 5
/** About two lines of a card. */
const TEXT_MAX_CHARS = 140
const IMAGE_SIZE = { width: 640, height: 480, output: 'jpg' }
const FIELDS = [
  '$id',
  'title',
  'addressWords',
  'status',
  'hidden',
  'ownImage',
  'excerpt',
  'content',
] as const
type FoundPost = Pick<PostDocument, (typeof FIELDS)[number]>

/** Only posts that every reader may read: a card shows them to all readers of the text. */
export async function findCardPosts(api: Api, typed: string): Promise<Result<CardPost[]>> {
  const ids = await findIds(api, typed)
  if (!ids.ok || ids.value.length === 0) return ids.ok ? succeed([]) : ids
  const queries = [
    Query.equal('$id', ids.value),
    Query.equal('status', 'active'),
    Query.limit(POSTS_MAX),
    Query.select([...FIELDS]),
  ]
  const found = await callCollection<{ documents: FoundPost[] }>(api, 'get', '/documents', {
    queries,
    total: 'false',
  })
  if (!found.ok) return found
  const posts = found.value.documents.filter(({ hidden }) => !hidden)
  const place = ({ $id }: FoundPost) => ids.value.indexOf($id)
  posts.sort((one, other) => place(one) - place(other))
  return succeed(posts.map((post) => toCardPost(api, post)))
}

async function findIds(api: Api, typed: string): Promise<Result<string[]>> {
  const url = URL.parse(typed, location.origin)
  const id = url?.origin === location.origin ? postIdInPath(url.pathname) : undefined
  if (id !== undefined) return succeed([id])
  const results = await callCollection<SearchResults>(api, 'get', '/search', {
    q: typed,
    page: '1',
  })
  // The server refuses a word that is too short to search for.
  if (!results.ok) return results.failure.code === 400 ? succeed([]) : results
  return succeed(results.value.documents.slice(0, POSTS_MAX).map(({ $id }) => $id))
}

function toCardPost(api: Api, post: FoundPost): CardPost {
  const { title, ownImage, excerpt, content } = post
  const image = { fileId: ownImage ?? '', ...IMAGE_SIZE }
  return {
    path: postPath(post),
    title,
    text: excerpt || excerptOf(content, TEXT_MAX_CHARS),
    imageAddress: ownImage
      ? pathOf(previewAddress(api, api.settings.contentBucketId, image))
      : undefined,
  }
}
