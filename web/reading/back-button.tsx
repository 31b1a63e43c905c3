// Back to where the reader came from; on the first page of a visit to all posts, or, for a visitor
// who may not read them, home, which does not lead on to the sign-in form by itself.

import { ArrowLeft } from 'lucide-react'
import { useLocation, useNavigate } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'

/** The router's key of the page that a visit begins with. */
const FIRST_PAGE_KEY = 'default'

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
  return (
    <Button kind="ghost" onClick={() => void handlePress()}>
      <ArrowLeft className="icon flip-in-rtl" aria-hidden="true" />
      {texts.post.back}
    </Button>
  )
}
