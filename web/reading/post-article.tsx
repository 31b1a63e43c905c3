// The post itself, on its page and in the preview: cover, title, author, text. The controls are
// passed in.
import { memo, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { AVATAR_SIZES } from '#contract/image-sizes.ts'
import { tagsOf } from '#contract/plain-text.ts'
import { LocalDate } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { placeholderStyle } from '../posts/featured-image.tsx'
import { type Direction, directionOf } from '../posts/plain-text.ts'
import type { PagePost } from '../posts/posts-api.ts'
import { useCopying } from '../ui/copying.ts'
import { Link } from '../ui/link.tsx'
import { withoutLinks } from './body-html.ts'
import { useBodyHtml, useBodyMetadata } from './body-metadata.ts'
import { Contents } from './contents.tsx'
import { findHeadings, needsReadingAids } from './text-objects.ts'
import { useMedia } from './use-media.tsx'
import './post-sheets.css'

/** Id of the last element above the text. */
export const POST_TOP_END_ID = 'post-actions'

export type ArticlePost = Pick<
  PagePost,
  'title' | 'highlightedContent' | 'userName' | 'userAvatar' | '$createdAt' | 'imageColor'
> & {
  /** Tags shown below the text: a last line with the same tags is left out. */
  tags?: string[]
}
type PostArticleProps = {
  post: ArticlePost
  /** Fills the box of the featured image; without it there is no box. */
  cover?: ReactNode
  /** In place of the date. */
  status?: string
  /** Shown at the end of the author's row. */
  info?: ReactNode
  /** The path of the author's page; without it the author is not a link. */
  authorPath?: string | undefined
  /** Shown next to the text on wide screens. */
  actions?: ReactNode
  /** Links in the text lead nowhere. */
  isPreview?: boolean
  /** Shown after the text. */
  children: ReactNode
}

/**
 * The `lang` of the author's text, which would otherwise inherit the language of the page. A text
 * with a wrong language is pronounced, hyphenated and rendered worse than one without a language.
 */
const UNKNOWN_LANGUAGE = ''

export function PostArticle({
  post,
  cover,
  status,
  info,
  authorPath,
  actions,
  isPreview = false,
  children,
}: PostArticleProps) {
  const { title, userName, highlightedContent: html } = post
  const { direction, minutes } = useBodyMetadata(html)
  const shown = useBodyHtml(html, tagsOf(post))
  return (
    <article aria-labelledby="post-title" dir={directionOf(title)}>
      {cover && (
        <div className="featured-image" style={placeholderStyle(post.imageColor)}>
          {cover}
        </div>
      )}
      <div className="post">
        <h1 id="post-title" dir="auto" lang={UNKNOWN_LANGUAGE}>
          {title}
        </h1>
        <div className="post-meta">
          <Writer path={authorPath}>
            <AuthorAvatar
              name={userName}
              avatarId={post.userAvatar}
              sidePixels={AVATAR_SIZES.byline}
              isEager
            />
            <span className="quiet post-meta__text">
              <b>
                <bdi>{userName}</bdi>
              </b>
              <br />
              {status ?? <LocalDate time={post.$createdAt} />}
              <span className="separated">
                <bdi>{texts.post.minutes(minutes)}</bdi>
              </span>
            </span>
          </Writer>
          {info}
        </div>
        {actions && (
          <div className="row post-actions" id={POST_TOP_END_ID}>
            {actions}
          </div>
        )}
        {!isPreview && <ContentsOf html={shown} />}
        <PostBody html={shown} direction={direction} isPreview={isPreview} />
        {children}
      </div>
    </article>
  )
}

/** Memoised: finding the headings reads the whole text. */
const ContentsOf = memo(function ContentsOf({ html }: { html: string }) {
  return <Contents headings={findHeadings(html)} hasOwn={html.includes('<nav class="contents">')} />
})

function Writer({ path, children }: { path: string | undefined; children: ReactNode }) {
  return path === undefined ? (
    <div className="post-meta__who">{children}</div>
  ) : (
    <Link className="post-meta__who" to={path}>
      {children}
    </Link>
  )
}

// The body of a post. Its HTML was sanitised by the server when it was saved (api.md §10.4).

/** Memoised: the like button and menus must not re-render the text. */
export const PostBody = memo(function PostBody({
  html,
  direction,
  isPreview = false,
}: {
  /** The result of {@link bodyHtml}. */
  html: string
  direction: Direction | undefined
  /** Links lead nowhere. */
  isPreview?: boolean
}) {
  const text = useRef<HTMLDivElement>(null)
  useCodeCopying(text)
  useReadingAids(!isPreview && needsReadingAids(html))
  const media = useMedia(text, html)
  return (
    <div
      className="text-box"
      data-continue-reading={texts.post.continueReading}
      data-close={texts.actions.close}
    >
      <div
        ref={text}
        className="prose"
        lang={UNKNOWN_LANGUAGE}
        dir={direction}
        dangerouslySetInnerHTML={{
          __html: isPreview ? withoutLinks(html) : html,
        }}
      />
      {media}
    </div>
  )
})

/** Loads reading-aids.ts, which is no part of the app, and tells it which post is shown. */
function useReadingAids(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined
    // Without the network the text is read without them.
    import('./reading-aids.ts').catch(() => {})
    dispatchEvent(new Event('post-shown'))
    return () => void dispatchEvent(new Event('post-hidden'))
  }, [isNeeded])
}

/** Handles the copy buttons of code samples, which are part of the body's HTML. */
function useCodeCopying(text: RefObject<HTMLElement | null>): void {
  const copy = useCopying()
  const handleClick = useEffectEvent(({ target }: Event) => {
    const button = target instanceof Element ? target.closest('.code-sample__copy') : null
    const code = button?.closest('figure')?.querySelector('pre')
    if (code) void copy(code.innerText, texts.copying.copied)
  })
  useEffect(() => {
    const element = text.current
    const handle = (event: Event) => handleClick(event)
    element?.addEventListener('click', handle)
    return () => element?.removeEventListener('click', handle)
  }, [text])
}
