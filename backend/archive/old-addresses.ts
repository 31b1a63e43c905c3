// Where the addresses of an old site lead: its posts and feeds were imported, so that its readers
// find them here (docs/importing.md). Asked only for addresses that this blog has no page for.
import { publicPath } from '#contract/post-url.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { findPostAddress } from '../posts/read-post.ts'
import { isFeedAddress, normaliseAddress } from './import/old-site.ts'
import { findAddress } from './old-address-store.ts'

export { countAddresses, findAddress, insertAddress } from './old-address-store.ts'

const FEED = '/feed.xml'
const FEED_QUERY = /^\/(?:index\.php)?\?(?:.*&)?feed=(?:rss2?|atom)(?:&|$)/
/** Further forms of a page, such as the one for phones. */
const FORM = /\/(?:amp|feed|embed|index\.html?)$/
const POST_QUERY = /^\/(?:index\.php)?\?(?:.*&)?(?:p|page_id)=\d/

/** Whether the query of the front page names a post, or a feed, of another program. */
export function hasOldQuery(url: string): boolean {
  return POST_QUERY.test(url) || FEED_QUERY.test(url)
}

/**
 * @param url path and query of a request
 * @returns a path of this blog; undefined also for a post that the viewer may not read
 */
export async function findMovedTo(
  context: PostsContext,
  viewer: Viewer,
  url: string,
): Promise<string | undefined> {
  const address = normaliseAddress(url)
  if (FEED_QUERY.test(url)) return FEED
  if (address === undefined) return undefined
  const postId =
    (await findPostId(context.db, address)) ??
    (await findPostId(context.db, address.replace(FORM, '')))
  const post = postId === undefined ? undefined : await findPostAddress(context, viewer, postId)
  if (post) {
    const path = publicPath(await context.site.read(), post)
    // The draft of a page has no address yet: it would lead to itself.
    return path === address ? undefined : path
  }
  return isFeedAddress(address) ? FEED : undefined
}

async function findPostId(db: Database, address: string): Promise<string | undefined> {
  return (await findAddress(db, address))?.postId
}
