// The pictures of a text, one at a time over the whole window. Loaded when a picture is pressed.
import { ArrowLeft, ArrowRight, Download, X } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { buttonClass, IconButton } from '../ui/button.tsx'
import { afterDialogs, useModal } from '../ui/use-modal.ts'
import './lightbox-sheets.css'

type LightboxProps = {
  /** The element with the text, whose pictures are links to themselves (body-pictures.ts). */
  text: HTMLElement
  /** The link of the picture to begin with. */
  opener: HTMLElement
  onClose: () => void
}

const words = texts.pictures
const SWIPE_MIN_PX = 48

export function Lightbox({ text, opener, onClose }: LightboxProps) {
  const [links] = useState(() => [...text.querySelectorAll<HTMLAnchorElement>('a.zoom[href]')])
  const [index, setIndex] = useState(() => Math.max(0, links.indexOf(opener as HTMLAnchorElement)))
  const last = links.length - 1
  const dialog = useModal({ onClose: close, onBackdrop: close })
  const swipe = useSwipe((step) => go(index + step))
  const link = links[index]

  function go(wanted: number) {
    setIndex(Math.min(Math.max(wanted, 0), last))
  }
  function close() {
    onClose()
    if (link) afterDialogs(() => focusTarget(link).focus())
  }
  function handleKey(event: KeyboardEvent) {
    const step = texts.direction === 'rtl' ? -1 : 1
    const targets: Record<string, number> = {
      ArrowRight: index + step,
      ArrowLeft: index - step,
      Home: 0,
      End: last,
    }
    const target = targets[event.key]
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    go(target)
  }
  if (!link) return null
  return (
    <dialog
      className="lightbox"
      ref={dialog}
      dir={texts.direction}
      aria-label={words.title}
      onKeyDown={handleKey}
    >
      <div className="lightbox__bar">
        <span role="status">{last > 0 && words.position(index + 1, links.length)}</span>
        <span className="row row--tight">
          <a
            className={buttonClass('ghost', 'btn--icon')}
            href={link.href.replace('/view?', '/download?')}
            download
            aria-label={words.download}
            title={words.download}
          >
            <Download className="icon" aria-hidden="true" />
          </a>
          <IconButton
            label={texts.actions.close}
            title={texts.actions.close}
            onClick={close}
            autoFocus
            Icon={X}
          />
        </span>
      </div>
      <div className="lightbox__stage" {...swipe}>
        <Picture key={index} link={link} />
        {last > 0 && (
          <>
            <IconButton
              className="flip-in-rtl lightbox__step"
              label={words.previous}
              title={words.previous}
              aria-disabled={index === 0}
              onClick={() => go(index - 1)}
              Icon={ArrowLeft}
            />
            <IconButton
              className="flip-in-rtl lightbox__step lightbox__step--next"
              label={words.next}
              title={words.next}
              aria-disabled={index === last}
              onClick={() => go(index + 1)}
              Icon={ArrowRight}
            />
          </>
        )}
      </div>
      <p className="lightbox__caption" dir="auto">
        {captionOf(link)}
      </p>
    </dialog>
  )
}

function Picture({ link }: { link: HTMLAnchorElement }) {
  const image = link.querySelector('img')
  return (
    <img
      src={link.href}
      srcSet={image?.srcset || undefined}
      sizes="100vw"
      alt={image?.alt ?? ''}
      draggable={false}
    />
  )
}

function captionOf(link: HTMLAnchorElement): string {
  const figure = link.closest('figure')
  return figure?.querySelector(':scope > figcaption')?.textContent?.trim() ?? ''
}

/** The link itself, or the last one of its gallery that the page shows. */
function focusTarget(link: HTMLAnchorElement): HTMLElement {
  const last = link.closest('.gallery')?.querySelector<HTMLElement>('[data-more]')
  return link.checkVisibility() ? link : (last ?? link)
}

/** Swipes with a finger, unless the picture is enlarged: then the finger moves it. */
function useSwipe(onSwipe: (step: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | undefined>(undefined)
  const isZoomed = useIsZoomed()
  return {
    style: { touchAction: isZoomed ? 'auto' : 'pinch-zoom' },
    onPointerDown: ({ isPrimary, pointerType, clientX, clientY }: PointerEvent) => {
      const isFinger = pointerType !== 'mouse' && isPrimary && !isZoomed
      start.current = isFinger ? { x: clientX, y: clientY } : undefined
    },
    onPointerCancel: () => {
      start.current = undefined
    },
    onPointerUp: ({ isPrimary, clientX, clientY }: PointerEvent) => {
      if (!start.current || !isPrimary) return
      const { x, y } = start.current
      start.current = undefined
      const distance = clientX - x
      if (Math.abs(distance) < Math.max(SWIPE_MIN_PX, Math.abs(clientY - y))) return
      onSwipe(distance < 0 === (texts.direction === 'ltr') ? 1 : -1)
    },
  }
}

function useIsZoomed(): boolean {
  const [isZoomed, setZoomed] = useState(false)
  useEffect(() => {
    const viewport = window.visualViewport
    const update = () => setZoomed((viewport?.scale ?? 1) > 1.01)
    viewport?.addEventListener('resize', update)
    return () => viewport?.removeEventListener('resize', update)
  }, [])
  return isZoomed
}
