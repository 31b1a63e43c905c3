// What this room is handed by the composition root.
import type { DescribeBody, SiteWords } from '#contract/pages.ts'
import type { Reading } from '#contract/site-settings.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { Database } from '../database/schema.ts'
import type { Files } from '../files/files.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import type { Posts } from '../posts/posts.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'

export type DiscoveryNeeds = {
  db: Database
  cache: ResponseCache
  rateLimits: RateLimits
  background: Background
  log: Log
  posts: Pick<Posts, 'read' | 'deriveTexts' | 'listed' | 'findAuthor' | 'findTag' | 'listNewest'>
  files: Pick<Files, 'drawCard' | 'readVisible' | 'preview'>
  siteName: string
  /** The line about the blog. */
  about: string
  /** Without a slash at its end. */
  publicUrl: string
  /** Where only members read, nothing is listed and there are no feeds. */
  reading: Reading
  projectId: string
  contentBucketId: string
  avatarBucketId: string
  /** Is told of changes, and tells who follows. */
  hubUrl: string | undefined
  /** What the web part says of posts; without it there are no pages, and cards have no line. */
  cardWords:
    | {
        words: Pick<SiteWords, 'postLine'>
        describeBody: DescribeBody
        textsVersion: string | undefined
      }
    | undefined
}
