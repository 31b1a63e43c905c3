// /verification: the page that email confirmation links open, and to which a Google sign-in by
// token returns. Opening the link alone never confirms: the user presses a button (product.md §O4).
import { MailCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useApi } from '../api/client.ts'
import { useCall } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, Spinner } from '../ui/button.tsx'
import { MessageScreen, PageTitle } from '../ui/screens.tsx'
import type { LinkValues } from './accounts-api.ts'
import { VerificationMailButton } from './email-verification.tsx'
import { linkValuesIn, OnwardLink, useQueryOnce } from './emailed-links.tsx'
import type { SignInReason } from './sign-in-reason.tsx'
import { useViewer } from './viewer.tsx'

/** The processing screen stays long enough to be read. */
const PROCESSING_SHOWN_MIN_MS = 700
/** Long enough to read the result before the page moves on. */
const RESULT_SHOWN_MS = 4000

export function VerificationPage() {
  // A token in the address is neither used nor stored (product.md §O4): it is removed first, like
  // the rest of the query.
  const landing = useQueryOnce((search) =>
    new URLSearchParams(search).has('access_token') ? 'token' : linkValuesIn(search),
  )
  return (
    <>
      <PageTitle screen={texts.verification.screen} />
      {typeof landing === 'object' ? (
        <ConfirmEmail link={landing} />
      ) : (
        <GoogleLanding hasToken={landing === 'token'} />
      )}
    </>
  )
}

/** Does not use the token: asks the server who is signed in, and redirects. */
function GoogleLanding({ hasToken }: { hasToken: boolean }) {
  const { refresh } = useViewer()
  const navigate = useNavigate()
  const [isDone, setDone] = useState(false)

  useEffect(() => {
    let isCurrent = true
    async function check() {
      const [account] = await Promise.all([
        hasToken ? refresh() : null,
        new Promise((resolve) => setTimeout(resolve, PROCESSING_SHOWN_MIN_MS)),
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

  if (isDone)
    return (
      <MessageScreen art="off" title={texts.nothingToVerify.title} actions={<OnwardLink />}>
        <p>{texts.nothingToVerify.text}</p>
      </MessageScreen>
    )
  return (
    <MessageScreen art="lit" title={texts.verification.processing} hasSmallTitle>
      <p className="loading" role="status">
        <Spinner />
        {texts.verification.wait}
      </p>
    </MessageScreen>
  )
}

function ConfirmEmail({ link: { userId, secret } }: { link: LinkValues }) {
  const { account } = useApi()
  const { status, refresh } = useViewer()
  const [isDone, setDone] = useState(false)
  const { isBusy, failure, call } = useCall(async () => {
    await account.updateVerification(userId, secret)
    if (status) await refresh()
    setDone(true)
  })
  if (isDone) return <Done />
  if (failure?.isLinkSpent) return <Expired />
  return (
    <MessageScreen
      art="lit"
      title={texts.confirmEmail.title}
      actions={
        <Button
          kind="primary"
          isBusy={isBusy}
          busyLabel={texts.confirmEmail.busy}
          onClick={() => void call()}
          Icon={MailCheck}
        >
          {texts.confirmEmail.button}
        </Button>
      }
    >
      <p>{texts.confirmEmailTexts.intro}</p>
      {failure && <Alert kind="error">{failure.message}</Alert>}
    </MessageScreen>
  )
}

function Done() {
  const { status } = useViewer()
  const navigate = useNavigate()
  useEffect(() => {
    if (!status) return
    const timer = setTimeout(() => void navigate('/dashboard'), RESULT_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [status, navigate])
  return (
    <MessageScreen art="lit" title={texts.confirmEmail.done} isAlert actions={<OnwardLink />}>
      <p>{status ? texts.confirmEmailTexts.toDashboard : texts.confirmEmailTexts.toSignIn}</p>
    </MessageScreen>
  )
}

function Expired() {
  const { settings } = useApi()
  const { status, userData } = useViewer()
  const isInOutbox = settings.mail === 'kept'
  const expired = isInOutbox ? texts.outboxMails.expired : texts.recoveryLink.expired
  if (userData?.emailVerification) return <Done />
  return (
    <MessageScreen
      art="off"
      title={texts.mailNotices.expired}
      isAlert
      actions={
        <>
          {status && settings.mail !== 'off' && (
            <VerificationMailButton label={texts.mails.newLink} kind="primary" />
          )}
          <OnwardLink kind="secondary" />
        </>
      }
    >
      <p>{status ? expired : texts.confirmEmailTexts.expiredSignedOut}</p>
    </MessageScreen>
  )
}
