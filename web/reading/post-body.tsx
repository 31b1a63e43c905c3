// The body of a post. Its HTML was sanitised by the server when it was saved (api.md §10.4).

import { memo } from 'react'
import type { Direction } from '../posts/text-direction.ts'
import { bodyHtml } from './body-html.ts'

/** Memoised: a change of the heart or a menu must not render the text again. */
export const PostBody = memo(function PostBody({
  html,
  language,
  direction,
}: {
  html: string
  language: string | undefined
  direction: Direction | undefined
}) {
  return (
    <div className="text-box">
      <div
        className="prose"
        lang={language}
        dir={direction}
        dangerouslySetInnerHTML={{ __html: bodyHtml(html) }}
      />
    </div>
  )
})
