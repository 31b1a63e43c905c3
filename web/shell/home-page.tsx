// /: says home, then leaves for the posts at once; Back does not come here again (ruling O2).
import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
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
      <PageTitle screen="home" site={settings.siteName} />
      <MessageScreen
        art="lit"
        title="home"
        actions={
          <Link className={buttonClass('primary')} to="/post">
            view posts
          </Link>
        }
      >
        <p>Taking you to the posts.</p>
      </MessageScreen>
    </>
  )
}
