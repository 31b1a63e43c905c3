// Where a mailed sign-in link leads: one press signs in; opening the link alone never does
// (product.md §O7, §O9).
import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { formFailureOf } from './form-failure.ts'
import { isUnusableLink } from './link-values.ts'
import { finishSignInLink, type LinkValues } from './mail-links-api.ts'
import type { ReturnState } from './return-path.ts'
import { useViewer } from './viewer.tsx'

type SignInLinkProps = {
  link: LinkValues
  /** The page that was asked for before signing in. */
  returnState: ReturnState | null
}

export function SignInLink({ link, returnState }: SignInLinkProps) {
  const api = useApi()
  const { userData } = useViewer()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [isExpired, setExpired] = useState(false)
  const [failureText, setFailureText] = useState<string | undefined>()

  async function handleSignIn() {
    setBusy(true)
    setFailureText(undefined)
    try {
      await finishSignInLink(api, link)
      await navigate('/dispatch', { replace: true, state: returnState })
    } catch (error) {
      if (isUnusableLink(error)) setExpired(true)
      else setFailureText(formFailureOf(error).message)
    } finally {
      setBusy(false)
    }
  }
  if (isExpired) return <Expired />
  return (
    <>
      <PageTitle screen={texts.signInLink.screen} site={api.settings.siteName} />
      <MessageScreen
        art="lit"
        title={texts.signInLink.title(api.settings.siteName)}
        actions={
          <Button
            kind="primary"
            isBusy={isBusy}
            busyLabel={texts.signing.goingIn}
            onClick={() => void handleSignIn()}
          >
            <LogIn className="icon flip-in-rtl" aria-hidden="true" />
            {texts.signing.in}
          </Button>
        }
      >
        <p>{texts.signInLink.text}</p>
        {userData && (
          <p>{texts.signInLink.signedInAs(<bdi>{userData.name || userData.email}</bdi>)}</p>
        )}
        {failureText && <Alert kind="error">{failureText}</Alert>}
      </MessageScreen>
    </>
  )
}

function Expired() {
  const { settings } = useApi()
  const { status } = useViewer()
  // Without mail the link came from the operator, and the next one does too.
  const wayIn = settings.mail !== 'off' ? texts.signInLink.getNew : texts.signing.in
  return (
    <>
      <PageTitle screen={texts.signInLink.screen} site={settings.siteName} />
      <MessageScreen
        art="off"
        title={texts.mailNews.expired}
        isAlert
        actions={
          <Link className={buttonClass('primary')} to={status ? '/dashboard' : '/login'}>
            {status ? texts.places.dashboard : wayIn}
          </Link>
        }
      >
        <p>{settings.mail === 'kept' ? texts.keptMails.expired : texts.signInLink.expired}</p>
      </MessageScreen>
    </>
  )
}
