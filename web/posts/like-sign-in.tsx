// The small window under the heart for someone who is not signed in.

import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'

export function LikeSignIn({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)

  useEffect(() => {
    close.current = onClose
  }, [onClose])

  useEffect(() => {
    const opener = document.activeElement
    box.current?.querySelector('a')?.focus()
    function handleOutside(event: Event) {
      if (event.target instanceof Node && !box.current?.contains(event.target)) close.current()
    }
    document.addEventListener('pointerdown', handleOutside)
    return () => {
      document.removeEventListener('pointerdown', handleOutside)
      if (opener instanceof HTMLElement && opener.isConnected && box.current?.contains(document.activeElement)) opener.focus()
    }
  }, [])

  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }

  return (
    <div className="pop" dir="ltr" role="dialog" aria-label="Sign in to like" ref={box} onKeyDown={handleKey}>
      <p>
        <b>Sign in to like this post</b>
      </p>
      <p>It takes a moment, and you come straight back here.</p>
      <div className="row">
        <Link className={buttonClass('primary')} to="/login" state={{ from: pathname }}>
          Sign in
        </Link>
        <Button kind="ghost" onClick={onClose}>
          Not now
        </Button>
      </div>
    </div>
  )
}
