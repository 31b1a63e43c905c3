// The strip under the header that says what became of the open post. The text does not move when it
// comes or goes.
import { EyeOff, RefreshCw, Trash2, X } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { texts } from '../locales/texts.ts'
import { LIVE_STRIPS_ID } from '../shell/strips.tsx'
import type { PostNote } from './use-live-post.ts'

const ICONS = { updated: RefreshCw, takenBack: EyeOff, deleted: Trash2 }

type LiveStripProps = {
  note: PostNote
  isOwner: boolean
  onShow: () => void
  onClose: () => void
}

export function LiveStrip({ note, isOwner, onShow, onClose }: LiveStripProps) {
  const strip = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const heightPixels = keepText(() => strip.current?.offsetHeight ?? 0)
    return () => void keepText(() => -heightPixels)
  }, [])
  const place = document.getElementById(LIVE_STRIPS_ID)
  if (!place) return null
  const Icon = ICONS[note]
  const isNews = note === 'updated'
  return createPortal(
    <div ref={strip} className={isNews ? 'strip strip--news' : 'strip strip--gone'}>
      <div className="container strip__inner">
        <Icon className="icon" aria-hidden="true" />
        <span>{textOf(note, isOwner)}</span>
        {isNews && (
          <>
            <span aria-hidden="true"> · </span>
            <button className="link" type="button" onClick={onShow}>
              {texts.livePost.show}
            </button>
            <button
              className="btn btn--ghost btn--icon"
              type="button"
              aria-label={texts.livePost.close}
              onClick={onClose}
            >
              <X className="icon" aria-hidden="true" />
            </button>
          </>
        )}
      </div>
    </div>,
    place,
  )
}

function textOf(note: PostNote, isOwner: boolean): string {
  const { updated, takenBack, deleted, ownTakenBack, ownDeleted } = texts.livePost
  switch (note) {
    case 'updated':
      return updated
    case 'takenBack':
      return isOwner ? ownTakenBack : takenBack
    case 'deleted':
      return isOwner ? ownDeleted : deleted
  }
}

/** What stands above the text is longer by so much: the browser must not make up for it, too. */
function keepText(measure: () => number): number {
  const { style } = document.documentElement
  style.overflowAnchor = 'none'
  const byPixels = measure()
  window.scrollBy({ top: byPixels, behavior: 'instant' })
  requestAnimationFrame(() => requestAnimationFrame(() => style.removeProperty('overflow-anchor')))
  return byPixels
}
