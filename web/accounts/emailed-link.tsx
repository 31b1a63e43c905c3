// The end of an e-mailed sign-in link: one press signs in; opening the link alone never does (rulings O7, O9).
import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { formFailureOf } from './form-failure.ts'
import { isSpentLink } from './link-values.ts'
import { finishSignInLink, type LinkValues } from './mail-links-api.ts'
import type { ReturnState } from './return-path.ts'
import { useViewer } from './viewer.tsx'

type EmailedLinkProps = {
  link: LinkValues
  /** The page that was asked for before signing in. */
  returnState: ReturnState | null
}

export function EmailedLink({ link, returnState }: EmailedLinkProps) {
  const api = useApi()
  const { userData } = useViewer()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [isSpent, setSpent] = useState(false)
  const [failureText, setFailureText] = useState<string | undefined>()

  async function handleSignIn() {
    setBusy(true)
    setFailureText(undefined)
    try {
      await finishSignInLink(api, link)
      await navigate('/dispatch', { replace: true, state: returnState })
    } catch (error) {
      if (isSpentLink(error)) setSpent(true)
      else setFailureText(formFailureOf(error).message)
    } finally {
      setBusy(false)
    }
  }
  if (isSpent) return <Spent />
  return (
    <>
      <PageTitle screen="Sign-in link" site={api.settings.siteName} />
      <MessageScreen
        art="lit"
        title={`Sign in to ${api.settings.siteName}`}
        actions={
          <Button kind="primary" isBusy={isBusy} busyLabel="Signing in" onClick={() => void handleSignIn()}>
            <LogIn className="i flip" aria-hidden="true" />
            Sign in
          </Button>
        }
      >
        <p>Your link is good for one sign-in on this device.</p>
        {userData && (
          <p>
            You are signed in as <bdi>{userData.name || userData.email}</bdi>. The link may belong to another account.
          </p>
        )}
        {failureText && <Alert kind="error">{failureText}</Alert>}
      </MessageScreen>
    </>
  )
}

function Spent() {
  const { settings } = useApi()
  const { status } = useViewer()
  // Without mail the link came from the operator, and the next one does too.
  const wayIn = settings.hasMail ? 'Get a new link' : 'Sign in'
  return (
    <>
      <PageTitle screen="Sign-in link" site={settings.siteName} />
      <MessageScreen
        art="off"
        title="This link has expired"
        isAlert
        actions={
          <Link className={buttonClass('primary')} to={status ? '/dashboard' : '/login'}>
            {status ? 'Dashboard' : wayIn}
          </Link>
        }
      >
        <p>Sign-in links work once, for a short time. Ask for a fresh one and use the newest email.</p>
      </MessageScreen>
    </>
  )
}
