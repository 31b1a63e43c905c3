// The body of a post as its author set it. The HTML was cleaned by the server when it was saved
// (api.md §10.4).

import { memo } from 'react'
import { plainText } from '../posts/plain-text.ts'
import { directionOf } from '../posts/text-direction.ts'
import { bodyHtml } from './body-html.ts'

/** Kept still: a new heart or menu beside it must not touch the text. */
export const PostBody = memo(function PostBody({
  html,
  language,
}: {
  html: string
  language: string | undefined
}) {
  const text = plainText(html)
  return (
    <div
      className="prose"
      lang={language}
      dir={text ? directionOf(text) : undefined}
      dangerouslySetInnerHTML={{ __html: bodyHtml(html) }}
    />
  )
})
