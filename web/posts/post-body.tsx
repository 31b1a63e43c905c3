// The body of a post as its author set it. The HTML was cleaned by the server when it was saved (contract §10.4).

import { memo } from 'react'
import { bodyHtml } from './body-html.ts'
import { plainText } from './reading.ts'
import { directionOf } from './text-direction.ts'

/** Kept still: a new heart or menu beside it must not touch the text. */
export const PostBody = memo(function PostBody({ html, language }: { html: string; language: string | undefined }) {
  const text = plainText(html)
  return <div className="prose" lang={language} dir={text ? directionOf(text) : undefined} dangerouslySetInnerHTML={{ __html: bodyHtml(html) }} />
})
