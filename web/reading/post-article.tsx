// The post itself, on its page and in the preview: cover, title, author, text, in the measure of
// reading. What can be done with it is handed in.

import { type ReactNode, useMemo } from 'react'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { placeholderStyle } from '../posts/image-color.ts'
import { LocalDate } from '../posts/local-date.tsx'
import type { PagePost } from '../posts/posts-api.ts'
import { directionOf } from '../posts/text-direction.ts'
import { useBodyTexts } from './body-texts.ts'
import { PostBody } from './post-body.tsx'
import { languageOf } from './text-language.ts'

export type ArticlePost = Pick<
  PagePost,
  'title' | 'highlightedContent' | 'userName' | 'userAvatar' | '$createdAt' | 'imageColor'
>
type PostArticleProps = {
  post: ArticlePost
  /** Fills the box of the featured image. */
  cover: ReactNode
  /** At the end of the author's row. */
  info?: ReactNode
  /** Beside the text on wide screens. */
  actions?: ReactNode
  /** Links in the text lead nowhere. */
  isPreview?: boolean
  /** After the text. */
  children: ReactNode
}

export function PostArticle({
  post,
  cover,
  info,
  actions,
  isPreview = false,
  children,
}: PostArticleProps) {
  const { title, userName, highlightedContent: html } = post
  // Of the author's text only: the rest of the page is in the site's language.
  const { direction, minutes, sample } = useBodyTexts(html)
  const language = useMemo(() => languageOf(`${title} ${sample}`), [title, sample])
  return (
    <article aria-labelledby="post-title" dir={directionOf(title)}>
      <div className="featured-image" style={placeholderStyle(post.imageColor)}>
        {cover}
      </div>
      <div className="post">
        <h1 id="post-title" dir="auto" lang={language}>
          {title}
        </h1>
        <div className="post-meta">
          <AuthorAvatar name={userName} avatarId={post.userAvatar} sidePixels={48} isEager />
          <p>
            <b>
              <bdi>{userName}</bdi>
            </b>
            <br />
            <LocalDate time={post.$createdAt} />
            <span className="separated">
              <bdi>{texts.post.minutes(minutes)}</bdi>
            </span>
          </p>
          {info}
        </div>
        {actions && <div className="post-actions">{actions}</div>}
        <PostBody html={html} language={language} direction={direction} isPreview={isPreview} />
        {children}
      </div>
    </article>
  )
}
