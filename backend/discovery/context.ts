import type { DescribeBody, ServerTexts } from '#contract/pages.ts'
import type { PostsContext } from '../post-texts/context.ts'

export type DiscoveryContext = PostsContext & {
  /** What the web part says of posts; without it there are no pages, and cards have no line. */
  pages:
    | {
        words: Pick<ServerTexts, 'postLine'>
        describeBody: DescribeBody
        textsVersion: string | undefined
      }
    | undefined
}
