// /verification: the landing of a Google sign-in by token, and of e-mail confirmation links (ruling O4).
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Spinner } from '../ui/spinner.tsx'
import type { SignInReason } from './sign-in-notice.tsx'
import { useViewer } from './viewer.tsx'

/** Long enough to be read. */
const SHOWN_AT_LEAST_MS = 700

type Landing = 'token' | 'link' | 'nothing'

export function VerificationPage() {
  const api = useApi()
  const { refresh } = useViewer()
  const { search, pathname } = useLocation()
  const navigate = useNavigate()
  const [landing] = useState(() => landingOf(search))
  const [isDone, setDone] = useState(false)

  // A token in the address is never used and never kept (threat model): it goes before anything else happens.
  useEffect(() => {
    if (search) void navigate(pathname, { replace: true })
  }, [search, pathname, navigate])

  useEffect(() => {
    let isCurrent = true
    async function check() {
      const [account] = await Promise.all([landing === 'token' ? refresh() : null, new Promise((done) => setTimeout(done, SHOWN_AT_LEAST_MS))])
      if (!isCurrent) return
      if (landing !== 'token') return setDone(true)
      const reason: SignInReason = 'google-not-confirmed'
      await navigate(account ? '/dispatch' : '/login', { replace: true, state: account ? null : { reason } })
    }
    void check()
    return () => {
      isCurrent = false
    }
  }, [landing, refresh, navigate])

  return (
    <>
      <PageTitle screen="Verification" site={api.settings.siteName} />
      {isDone ? (
        <Explanation landing={landing} />
      ) : (
        <MessageScreen art="lit" title="Processing Google authentication..." isCalm>
          <p className="loading" role="status">
            <Spinner />
            This takes a second or two.
          </p>
        </MessageScreen>
      )}
    </>
  )
}

function Explanation({ landing }: { landing: Landing }) {
  const { status } = useViewer()
  const isLink = landing === 'link'
  return (
    <MessageScreen
      art="off"
      title={isLink ? 'This link was not used' : 'There is nothing to verify'}
      actions={
        <Link className={buttonClass('primary')} to={status ? '/dashboard' : '/login'}>
          {status ? 'Dashboard' : 'Sign in'}
        </Link>
      }
    >
      <p>
        {isLink
          ? 'This site does not confirm email addresses by link yet. Your account works without it.'
          : 'This page finishes a sign-in with Google. Nothing came with the address, so start again from the sign-in page.'}
      </p>
    </MessageScreen>
  )
}

function landingOf(search: string): Landing {
  const values = new URLSearchParams(search)
  if (values.has('access_token')) return 'token'
  return values.has('userId') && values.has('secret') ? 'link' : 'nothing'
}
