// The 404 screen.
import { ArrowLeft } from 'lucide-react'
import { useNavigate } from 'react-router'
import { texts } from '../locales/texts.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { MessageScreen } from '../ui/screens.tsx'

export function NotFound({ path }: { path: string }) {
  const navigate = useNavigate()
  return (
    <MessageScreen
      screen={texts.places.notFound}
      art="searching"
      title={texts.places.notFound}
      actions={
        <>
          <ButtonLink kind="primary" to="/post">
            {texts.places.allPosts}
          </ButtonLink>
          <Button
            onClick={() => (window.history.length > 1 ? void navigate(-1) : void navigate('/post'))}
          >
            <ArrowLeft className="icon flip-in-rtl" aria-hidden="true" />
            {texts.missingPage.goBack}
          </Button>
        </>
      }
    >
      <p>{texts.missingPage.noRoute(<span className="mono">{path}</span>)}</p>
      <p>{texts.missingPage.text}</p>
    </MessageScreen>
  )
}
