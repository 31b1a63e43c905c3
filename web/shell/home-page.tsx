// /: shows "home", then redirects to the posts at once; "Back" does not return here (product.md
// §O2). Visitors stay here if they pressed the "Back" button of a page without a previous page.
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { MessageScreen, PageTitle } from '../ui/screens.tsx'
import { useHistoryState } from '../ui/use-is-hydrated.ts'

export function HomePage() {
  const { settings, client } = useApi()
  const navigate = useNavigate()
  const { state } = useLocation()
  const hydratedState = useHistoryState()
  const { reading, about } = settings
  const stayingText = reading === 'everyone' ? about : texts.home.staying(about)
  useEffect(() => {
    if (!skipsRedirect(state)) void navigate('/post', { replace: true })
  }, [navigate, state])
  return (
    <>
      <PageTitle
        screen={texts.places.home}
        description={texts.footer.about(settings.siteName, about)}
      />
      {reading === 'everyone' && (
        <link rel="canonical" href={new URL('/post', client.config.endpoint).href} />
      )}
      <MessageScreen
        art="lit"
        title={texts.places.home}
        actions={
          <ButtonLink kind="primary" to="/post">
            {texts.home.viewPosts}
          </ButtonLink>
        }
      >
        <p>{skipsRedirect(hydratedState) ? stayingText : texts.home.text}</p>
      </MessageScreen>
    </>
  )
}

function skipsRedirect(state: unknown): boolean {
  return 'skipsRedirect' in Object(state)
}
