// Where a verification link leads: one press confirms the address; opening the link alone never
// does (product.md §O4).
import { MailCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { formFailureOf } from './form-failure.ts'
import { isUnusableLink } from './link-values.ts'
import { confirmEmail, type LinkValues } from './mail-links-api.ts'
import { VerificationMailButton } from './verification-mail-button.tsx'
import { useViewer } from './viewer.tsx'

/** Long enough to read the result before the page moves on. */
const RESULT_SHOWN_MS = 4000

type Progress =
  | { at: 'asking' | 'working' | 'done' | 'expired' }
  | { at: 'failed'; message: string }

export function ConfirmEmail({ link }: { link: LinkValues }) {
  const api = useApi()
  const { status, refresh } = useViewer()
  const [progress, setProgress] = useState<Progress>({ at: 'asking' })

  async function handleConfirm() {
    setProgress({ at: 'working' })
    try {
      await confirmEmail(api, link)
      if (status) await refresh()
      setProgress({ at: 'done' })
    } catch (error) {
      setProgress(
        isUnusableLink(error)
          ? { at: 'expired' }
          : { at: 'failed', message: formFailureOf(error).message },
      )
    }
  }
  if (progress.at === 'done') return <Done />
  if (progress.at === 'expired') return <Expired />
  return (
    <MessageScreen
      art="lit"
      title={texts.confirmEmail.title}
      actions={
        <Button
          kind="primary"
          isBusy={progress.at === 'working'}
          busyLabel={texts.confirmEmail.busy}
          onClick={() => void handleConfirm()}
        >
          <MailCheck className="icon" aria-hidden="true" />
          {texts.confirmEmail.button}
        </Button>
      }
    >
      <p>{texts.confirmEmailTexts.ask}</p>
      {progress.at === 'failed' && <Alert kind="error">{progress.message}</Alert>}
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
    <MessageScreen
      art="lit"
      title={texts.confirmEmail.done}
      isAlert
      actions={
        <Link className={buttonClass('primary')} to={status ? '/dashboard' : '/login'}>
          {status ? texts.places.dashboard : texts.signing.in}
        </Link>
      }
    >
      <p>{status ? texts.confirmEmailTexts.toDashboard : texts.confirmEmailTexts.toSignIn}</p>
    </MessageScreen>
  )
}

function Expired() {
  const { settings } = useApi()
  const { status, userData } = useViewer()
  const isKept = settings.mail === 'kept'
  const expired = isKept ? texts.keptMails.expired : texts.confirmEmailTexts.expired
  if (userData?.emailVerification) return <Done />
  return (
    <MessageScreen
      art="off"
      title={texts.mailNews.expired}
      isAlert
      actions={
        <>
          {status && settings.mail !== 'off' && (
            <VerificationMailButton label={texts.mails.newLink} kind="primary" />
          )}
          <Link className={buttonClass('secondary')} to={status ? '/dashboard' : '/login'}>
            {status ? texts.places.dashboard : texts.signing.in}
          </Link>
        </>
      }
    >
      <p>{status ? expired : texts.confirmEmailTexts.expiredSignedOut}</p>
    </MessageScreen>
  )
}
