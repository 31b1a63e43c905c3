// Back to where the reader came from, or to all posts when this is the first page of the visit.

import { ArrowLeft } from 'lucide-react'
import { useLocation, useNavigate } from 'react-router'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'

/** The router's key of the page that a visit begins with. */
const FIRST_PAGE_KEY = 'default'

export function BackButton() {
  const navigate = useNavigate()
  const isFirstPage = useLocation().key === FIRST_PAGE_KEY
  return (
    <Button kind="ghost" onClick={() => void (isFirstPage ? navigate('/post') : navigate(-1))}>
      <ArrowLeft className="icon flip-in-rtl" aria-hidden="true" />
      {texts.post.back}
    </Button>
  )
}
