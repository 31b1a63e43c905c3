import type { DescribeBody, ServerTexts } from '#contract/pages.ts'
import type { PostsContext } from '../post-texts/context.ts'

export type DiscoveryContext = PostsContext & {
  /** Texts of the web part; without it there are no pages, and cards have no line of text. */
  pages:
    | {
        words: Pick<ServerTexts, 'postLine'>
        describeBody: DescribeBody
        textsVersion: string | undefined
      }
    | undefined
}
