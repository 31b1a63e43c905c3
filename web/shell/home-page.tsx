// /: shows "home", then redirects to the posts at once; "Back" does not return here (product.md
// §O2).
import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'

export function HomePage() {
  const { settings } = useApi()
  const navigate = useNavigate()
  useEffect(() => {
    void navigate('/post', { replace: true })
  }, [navigate])
  return (
    <>
      <PageTitle screen={texts.places.home} site={settings.siteName} />
      <MessageScreen
        art="lit"
        title={texts.places.home}
        actions={
          <Link className={buttonClass('primary')} to="/post">
            {texts.home.viewPosts}
          </Link>
        }
      >
        <p>{texts.home.text}</p>
      </MessageScreen>
    </>
  )
}
