// /verification: the landing of e-mail confirmation links, and of a Google sign-in by token
// (product.md §O4).
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { ConfirmEmail } from './confirm-email.tsx'
import { linkValuesIn, useQueryOnce } from './link-values.ts'
import type { LinkValues } from './mail-links-api.ts'
import type { SignInReason } from './sign-in-notice.tsx'
import { useViewer } from './viewer.tsx'

/** Long enough to be read. */
const SHOWN_AT_LEAST_MS = 700

type Landing = LinkValues | 'token' | 'nothing'

export function VerificationPage() {
  const api = useApi()
  // A token in the address is never used and never kept (product.md §O4): like the rest of the
  // query it is removed first.
  const landing = useQueryOnce(landingOf)
  return (
    <>
      <PageTitle screen={texts.verification.screen} site={api.settings.siteName} />
      {typeof landing === 'object' ? (
        <ConfirmEmail link={landing} />
      ) : (
        <GoogleLanding hasToken={landing === 'token'} />
      )}
    </>
  )
}

/** Does not use the token: asks the server who is signed in, and goes on. */
function GoogleLanding({ hasToken }: { hasToken: boolean }) {
  const { refresh } = useViewer()
  const navigate = useNavigate()
  const [isDone, setDone] = useState(false)

  useEffect(() => {
    let isCurrent = true
    async function check() {
      const [account] = await Promise.all([
        hasToken ? refresh() : null,
        new Promise((done) => setTimeout(done, SHOWN_AT_LEAST_MS)),
      ])
      if (!isCurrent) return
      if (!hasToken) return setDone(true)
      const reason: SignInReason = 'google-not-confirmed'
      await navigate(account ? '/dispatch' : '/login', {
        replace: true,
        state: account ? null : { reason },
      })
    }
    void check()
    return () => {
      isCurrent = false
    }
  }, [hasToken, refresh, navigate])

  if (isDone) return <NothingToVerify />
  return (
    <MessageScreen art="lit" title={texts.verification.processing} isCalm>
      <p className="loading" role="status">
        <Spinner />
        {texts.verification.wait}
      </p>
    </MessageScreen>
  )
}

function NothingToVerify() {
  const { status } = useViewer()
  return (
    <MessageScreen
      art="off"
      title={texts.nothingToVerify.title}
      actions={
        <Link className={buttonClass('primary')} to={status ? '/dashboard' : '/login'}>
          {status ? texts.places.dashboard : texts.signing.in}
        </Link>
      }
    >
      <p>{texts.nothingToVerify.text}</p>
    </MessageScreen>
  )
}

function landingOf(search: string): Landing {
  if (new URLSearchParams(search).has('access_token')) return 'token'
  return linkValuesIn(search) ?? 'nothing'
}
