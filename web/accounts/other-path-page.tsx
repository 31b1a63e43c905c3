// Any other path: the landing of e-mailed sign-in links when both values are there, else the 404 screen (ruling O7).
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { NotFound } from './not-found.tsx'
import { useViewer } from './viewer.tsx'

export function OtherPathPage() {
  const { pathname } = useLocation()
  return <OtherPath key={pathname} />
}

function OtherPath() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [isLink] = useState(() => {
    const values = new URLSearchParams(search)
    return values.has('userId') && values.has('secret')
  })
  useEffect(() => {
    if (isLink && search) void navigate(pathname, { replace: true })
  }, [isLink, search, pathname, navigate])
  return isLink ? <EmailedLink /> : <NotFound path={pathname} />
}

function EmailedLink() {
  const api = useApi()
  const { status } = useViewer()
  return (
    <>
      <PageTitle screen="Sign-in link" site={api.settings.siteName} />
      <MessageScreen
        art="searching"
        title="This link was not used"
        actions={
          <Link className={buttonClass('primary')} to={status ? '/dashboard' : '/login'}>
            {status ? 'Dashboard' : 'Sign in'}
          </Link>
        }
      >
        <p>This site does not sign people in by email link yet. Sign in with your email and password instead.</p>
      </MessageScreen>
    </>
  )
}
