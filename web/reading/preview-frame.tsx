// A page of its own inside this one, with the same style sheets: widths and themes are its own. No
// script runs in it; what it shows is drawn from here.

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ShownTheme } from '../editor/use-shown-theme.ts'
import { texts } from '../locales/texts.ts'

type PreviewFrameProps = {
  theme: ShownTheme
  title: string
  /** Esc was pressed inside. */
  onClose: () => void
  children: ReactNode
}

export function PreviewFrame({ theme, title, onClose, children }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [source] = useState(() => emptyPage(theme))
  const [page, setPage] = useState<Document | undefined>()
  const handleKey = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'Escape') onClose()
  })

  useEffect(() => {
    const handle = (event: KeyboardEvent) => handleKey(event)
    page?.addEventListener('keydown', handle)
    return () => page?.removeEventListener('keydown', handle)
  }, [page])
  useEffect(() => {
    if (page) page.documentElement.dataset.theme = theme
  }, [page, theme])

  function handleLoad() {
    const loaded = frame.current?.contentDocument ?? undefined
    // `optional` in the style sheets is for the first paint of a page.
    loaded?.fonts.forEach((face) => {
      face.display = 'swap'
    })
    setPage(loaded)
  }
  const root = page?.getElementById('preview-root')
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-same-origin"
      srcDoc={source}
      onLoad={handleLoad}
    >
      {root && createPortal(children, root)}
    </iframe>
  )
}

/** With the style sheets of this page; those that development puts in as text, too. */
function emptyPage(theme: ShownTheme): string {
  const sheets = document.querySelectorAll('link[rel="stylesheet"], style[data-vite-dev-id]')
  const styles = Array.from(sheets, (sheet) =>
    sheet instanceof HTMLLinkElement ? linkTo(sheet.href) : sheet.outerHTML,
  )
  return `<!DOCTYPE html><html lang="${texts.language}" dir="${texts.direction}" data-theme="${theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${texts.preview.frame}</title>${styles.join('')}</head><body class="preview-page"><main class="container" id="preview-root"></main></body></html>`
}

function linkTo(href: string): string {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  return link.outerHTML
}
