// /verifyUserEmailLink: the landing of recovery links (ruling O6). Nothing of the link stays in the address.
import { useEffect } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { useViewer } from './viewer.tsx'

export function VerifyEmailPage() {
  const api = useApi()
  const { status } = useViewer()
  const { search, pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (search) void navigate(pathname, { replace: true })
  }, [search, pathname, navigate])
  return (
    <>
      <PageTitle screen="Email link" site={api.settings.siteName} />
      <MessageScreen
        art="off"
        title="This link cannot be used"
        actions={
          <Link className={buttonClass('primary')} to={status ? '/dashboard' : '/login'}>
            {status ? 'Dashboard' : 'Sign in'}
          </Link>
        }
      >
        <p>This site does not send links for a new password yet. Your password has not changed.</p>
      </MessageScreen>
    </>
  )
}
