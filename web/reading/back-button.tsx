// Back to where the reader came from; on the first page of a visit to all posts, or, for a visitor
// who may not read them, home, which does not lead on to the sign-in form by itself.
import { ArrowLeft } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'

/** The router's key of the page that a visit begins with. */
const FIRST_PAGE_KEY = 'default'

/**
 * The button that is being pressed. The page that says that a post is loading has one of its own:
 * when the post arrives between press and release, no click comes.
 */
let pressed: Element | undefined

function handleMouseDown({ currentTarget }: MouseEvent) {
  pressed = currentTarget
  const forget = () => {
    pressed = undefined
  }
  window.addEventListener('mouseup', forget, { once: true })
}

export function BackButton() {
  const navigate = useNavigate()
  const { settings } = useApi()
  const { status, isChecking } = useViewer()
  const isFirstPage = useLocation().key === FIRST_PAGE_KEY
  function handlePress() {
    if (!isFirstPage || (document.referrer && window.history.length > 1)) return navigate(-1)
    const mayRead = status || isChecking || settings.reading === 'everyone'
    return mayRead ? navigate('/post') : navigate('/', { state: { isStaying: true } })
  }
  function handleMouseUp({ currentTarget }: MouseEvent) {
    if (pressed && pressed !== currentTarget) void handlePress()
  }
  return (
    <Button
      kind="ghost"
      onClick={() => void handlePress()}
      onMouseDown={handleMouseDown}
      onMouseUp={handleMouseUp}
    >
      <ArrowLeft className="icon flip-in-rtl" aria-hidden="true" />
      {texts.post.back}
    </Button>
  )
}
