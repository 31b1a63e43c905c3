// The body of a post. Its HTML was sanitised by the server when it was saved (api.md §10.4).

import { memo, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { texts } from '../locales/texts.ts'
import type { Direction } from '../posts/text-direction.ts'
import { withoutLinks } from './body-html.ts'
import { useCopying } from './use-copying.ts'

/** Memoised: a change of the heart or a menu must not render the text again. */
export const PostBody = memo(function PostBody({
  html,
  language,
  direction,
  isPreview = false,
}: {
  /** As it is shown: see {@link bodyHtml}. */
  html: string
  language: string | undefined
  direction: Direction | undefined
  /** Links lead nowhere. */
  isPreview?: boolean
}) {
  const text = useRef<HTMLDivElement>(null)
  useCodeCopying(text)
  return (
    <div className="text-box">
      <div
        ref={text}
        className="prose"
        lang={language}
        dir={direction}
        dangerouslySetInnerHTML={{
          __html: isPreview ? withoutLinks(html) : html,
        }}
      />
    </div>
  )
})

/** The button of a code sample is part of the text's HTML. */
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
