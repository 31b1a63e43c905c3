// What few readers ask for, behind a small control that opens without scripts; Esc closes it
// (head/close-details.ts).

import { Info } from 'lucide-react'
import { texts } from '../locales/texts.ts'
import { LocalDate } from '../posts/local-date.tsx'
import type { PagePost } from '../posts/posts-api.ts'
import { usePublicPath } from '../posts/use-post-path.ts'

type InfoPost = Pick<PagePost, '$id' | 'title' | '$createdAt' | '$updatedAt' | 'userid'>

export function PostInfo({ post }: { post: InfoPost }) {
  const path = usePublicPath()(post)
  const { label, author, published, changed, address } = texts.post.info
  return (
    <details className="post-info">
      <summary aria-label={label} title={label}>
        <Info className="icon" aria-hidden="true" />
      </summary>
      <div className="post-info__box">
        <dl dir={texts.direction}>
          <dt>{author}</dt>
          <dd>
            <bdi>{texts.post.authorId(<span className="mono">{post.userid}</span>)}</bdi>
          </dd>
          <dt>{published}</dt>
          <dd>
            <LocalDate time={post.$createdAt} hasTime />
          </dd>
          <dt>{changed}</dt>
          <dd>
            <LocalDate time={post.$updatedAt} hasTime />
          </dd>
          <dt>{address}</dt>
          <dd className="mono" dir="ltr">
            {decodeURI(path)}
          </dd>
        </dl>
      </div>
    </details>
  )
}
