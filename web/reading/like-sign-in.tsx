// The popover under the heart for visitors who are not signed in.

import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'

export function LikeSignIn({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)

  useEffect(() => {
    close.current = onClose
  }, [onClose])

  // A layout effect: after the paint the popover is gone from the page, and the focus with it.
  useLayoutEffect(() => {
    const opener = document.activeElement
    box.current?.querySelector('a')?.focus()
    function handleOutside(event: Event) {
      if (event.target instanceof Node && !box.current?.contains(event.target)) close.current()
    }
    document.addEventListener('pointerdown', handleOutside)
    return () => {
      document.removeEventListener('pointerdown', handleOutside)
      if (
        opener instanceof HTMLElement &&
        opener.isConnected &&
        box.current?.contains(document.activeElement)
      )
        opener.focus()
    }
  }, [])

  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }

  return (
    <div
      className="popover"
      dir={texts.direction}
      role="dialog"
      aria-label={texts.likeSignIn.label}
      ref={box}
      onKeyDown={handleKey}
    >
      <p>
        <b>{texts.likeSignIn.title}</b>
      </p>
      <p>{texts.likeSignIn.text}</p>
      <div className="row">
        <Link
          className={buttonClass('primary')}
          to="/login"
          state={{ from: pathname, back: pathname }}
        >
          {texts.signing.in}
        </Link>
        <Button kind="ghost" onClick={onClose}>
          {texts.likeSignIn.notNow}
        </Button>
      </div>
    </div>
  )
}
