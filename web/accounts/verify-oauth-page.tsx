// /verifyOAuth: the landing after Google. Says who is signed in; the button asks Google with the session's own token (ruling O5).
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { fetchProviderUser, readCurrentSession } from './accounts-api.ts'
import { useViewer } from './viewer.tsx'

const FAILED = 'Failed to fetch user info'

type Answer = { kind: 'ok' | 'error'; text: string }

export function VerifyOAuthPage() {
  const api = useApi()
  const { status, userData } = useViewer()
  const [isBusy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Answer | undefined>()

  async function ask(): Promise<Answer> {
    if (!status) return { kind: 'error', text: FAILED }
    try {
      const { providerAccessToken } = await readCurrentSession(api)
      const person = await fetchProviderUser(providerAccessToken)
      return { kind: 'ok', text: `Google says: ${[person.name, person.email].filter(Boolean).join(', ')}` }
    } catch {
      return { kind: 'error', text: FAILED }
    }
  }
  async function handleVerify() {
    setBusy(true)
    setAnswer(await ask())
    setBusy(false)
  }

  return (
    <>
      <PageTitle screen="Verify OAuth" site={api.settings.siteName} />
      <MessageScreen
        art="lit"
        title="One more step"
        actions={
          <>
            <Button kind="primary" isBusy={isBusy} onClick={() => void handleVerify()}>
              <ShieldCheck className="i" aria-hidden="true" />
              Verify OAuth
            </Button>
            <Link className={buttonClass('secondary')} to={status ? '/dispatch' : '/login'}>
              {status ? 'Go on' : 'Sign in'}
            </Link>
          </>
        }
      >
        <p>{userData ? `You are signed in as ${userData.name || userData.email}.` : 'Verify to finish signing in with Google.'}</p>
        {answer && <Alert kind={answer.kind}>{answer.text}</Alert>}
      </MessageScreen>
    </>
  )
}
