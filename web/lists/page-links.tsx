// The links to the previous and the next page of a list, and the range of this one. They are real
// links, which also work without scripts.
import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { To } from 'react-router'
import { TOTAL_MAX } from '#contract/limits.ts'
import { FEED_PAGE_POSTS } from '#web/posts/posts-api.ts'
import { texts } from '../locales/texts.ts'
import type { PostPage } from '../posts/posts-api.ts'
import { ButtonLink } from '../ui/button.tsx'

const count = new Intl.NumberFormat(texts.language)

type PageLinksProps = {
  page: Pick<PostPage, 'posts' | 'total' | 'before' | 'newer' | 'isLast'>
  /** The path of the list, to which `?after=` is added. */
  path: string
}

export function PageLinks({ page, path }: PageLinksProps) {
  const { posts, newer, isLast } = page
  const older = isLast ? undefined : posts.at(-1)?.$id
  if (newer === undefined && older === undefined && posts.length === 0) return null
  const linkTo = (after: string | undefined, text: string) =>
    after === undefined ? undefined : { to: pagePath(path, after), text }
  return (
    <PageNav
      previous={linkTo(newer, texts.pages.newer)}
      next={linkTo(older, texts.pages.older)}
      range={rangeOf(page)}
    />
  )
}

type PageLink = { to: To; text: string }
type PageNavProps = {
  label?: string
  previous: PageLink | undefined
  next: PageLink | undefined
  range: string
}

/** Either link may be missing; its space then stays empty. */
export function PageNav({ label = texts.pages.label, previous, next, range }: PageNavProps) {
  return (
    <nav className="row page-links" aria-label={label}>
      <span>
        {previous && (
          <ButtonLink to={previous.to} rel="prev">
            <ArrowLeft className="icon icon--small flip-in-rtl" aria-hidden="true" />
            {previous.text}
          </ButtonLink>
        )}
      </span>
      <p className="quiet">{range}</p>
      <span>
        {next && (
          <ButtonLink to={next.to} rel="next">
            {next.text}
            <ArrowRight className="icon icon--small flip-in-rtl" aria-hidden="true" />
          </ButtonLink>
        )}
      </span>
    </nav>
  )
}

/** The address of a page of a list. @param after "" or undefined for the first page */
export function pagePath(path: string, after: string | undefined): string {
  return after ? `${path}?after=${after}` : path
}

/** The number of a page after the first; undefined if the server stopped counting before it. */
export function pageNumber({ before }: Pick<PostPage, 'before'>): number | undefined {
  return before < TOTAL_MAX ? Math.ceil(before / FEED_PAGE_POSTS) + 1 : undefined
}

/** "Posts 1 to 12 of 42"; empty if the server stopped counting before this page. */
function rangeOf({ posts, total, before }: PageLinksProps['page']): string {
  const last = before + posts.length
  if (posts.length === 0 || before >= TOTAL_MAX) return ''
  const totalCount = total < TOTAL_MAX ? Math.max(total, last) : undefined
  return texts.pages.range(count.format(before + 1), count.format(last), {
    total:
      totalCount === undefined
        ? texts.pages.many(count.format(TOTAL_MAX))
        : count.format(totalCount),
    isOne: posts.length === 1,
  })
}
