// Where an address of the blog leads to in its exported site.
import { LRUCache } from 'lru-cache'
import { tagKey } from '#contract/plain-text.ts'
import { postIdInPath, readCommentsQuery } from '#contract/post-url.ts'
import type { Database } from '../../database/schema.ts'
import { parseDetails } from '../../posts/post-details.ts'
import { authorFile, furtherFile, HOME, pageFile, postFile, SEARCH, tagFile } from './site-names.ts'
import * as store from './site-store.ts'

const REMEMBERED = 10_000
const FEED = /^(\/author\/[^/]+|\/tag\/[^/]+|)\/feed\.(xml|json)$/

export type SiteLinks = ReturnType<typeof makeSiteLinks>

/** @param pages addresses of pages such as "About" that are in the site */
export function makeSiteLinks(
  db: Database,
  { ownerId, pages }: { ownerId: string | undefined; pages: ReadonlySet<string> },
) {
  const known = new LRUCache<string, string | false>({ max: REMEMBERED })
  const remember = async (key: string, find: () => Promise<string | undefined>) => {
    const file = known.get(key) ?? (await find()) ?? false
    known.set(key, file)
    return file || undefined
  }

  const postOf = (id: string) =>
    remember(`post ${id}`, async () => {
      const post = await store.findPost(db, ownerId, id)
      return post && sitePostFile(post)
    })
  const authorOf = (userId: string) =>
    remember(`author ${userId}`, async () => {
      if (ownerId !== undefined) return userId === ownerId ? HOME : undefined
      return (await store.hasPosts(db, userId)) ? authorFile(userId) : undefined
    })
  const tagOf = (key: string) =>
    remember(`tag ${key}`, async () =>
      (await store.hasTag(db, ownerId, key)) ? tagFile(key) : undefined,
    )

  async function findFeed(list: string, format: string): Promise<string | undefined> {
    if (list === '') return `feed.${format}`
    // With an owner, the feed of a tag would have posts by others.
    if (ownerId !== undefined && list.startsWith('/tag/')) return undefined
    const file = await findFile(list, '')
    return file === HOME ? `feed.${format}` : file?.replace(/html$/, format)
  }

  async function findFile(path: string, query: string): Promise<string | undefined> {
    const [, first = '', second = '', rest] = path.split('/')
    const [, list, format] = FEED.exec(path) ?? []
    if (list !== undefined && format) return await findFeed(list, format)
    const postId = postIdInPath(path)
    if (postId) return withComments(await postOf(postId), query)
    if (second !== '' && rest !== undefined) return undefined
    if (first === 'author') return await authorOf(decode(second))
    if (first === 'tag') return await tagOf(tagKey(decode(second)))
    if (second !== '') return undefined
    if (first === '' || first === 'post' || first === 'posts') return HOME
    if (first === 'search') return SEARCH
    return pages.has(decode(first)) ? pageFile(decode(first)) : undefined
  }

  return {
    /**
     * @param path from the root of the blog, without a query and fragment
     * @returns a file of the site; undefined when the site does not have it
     */
    findFile,
  }
}

export function sitePostFile({ id, title, details }: store.SitePostRow): string {
  return postFile({ $id: id, title, addressWords: parseDetails(details).addressWords })
}

/** The file for a page of comments, or for one thread. */
function withComments(file: string | undefined, query: string): string | undefined {
  const { thread, page = 1 } = readCommentsQuery(query)
  if (file === undefined || (!thread && page === 1)) return file
  const number = page > 1 ? `-${page}` : ''
  return furtherFile(file, thread ? `thread-${thread}${number}` : `comments${number}`)
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
