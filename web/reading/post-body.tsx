// The body of a post. Its HTML was sanitised by the server when it was saved (api.md §10.4).

import { memo } from 'react'
import { plainText } from '../posts/plain-text.ts'
import { directionOf } from '../posts/text-direction.ts'
import { bodyHtml } from './body-html.ts'

/** Memoised: a change of the heart or a menu must not render the text again. */
export const PostBody = memo(function PostBody({
  html,
  language,
}: {
  html: string
  language: string | undefined
}) {
  const text = plainText(html)
  return (
    <div className="text-box">
      <div
        className="prose"
        lang={language}
        dir={text ? directionOf(text) : undefined}
        dangerouslySetInnerHTML={{ __html: bodyHtml(html) }}
      />
    </div>
  )
})
