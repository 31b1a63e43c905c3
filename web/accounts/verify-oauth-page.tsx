// /verifyOAuth: the landing after Google. Says who is signed in; the button asks Google with the session's own token (ruling O5).
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { fetchProviderUser, readCurrentSession } from './accounts-api.ts'
import { nextQueryOf } from './return-path.ts'
import { useViewer } from './viewer.tsx'

const FAILED = 'Failed to fetch user info'

type Answer = { kind: 'ok' | 'error'; text: string }

export function VerifyOAuthPage() {
  const api = useApi()
  const { isChecking, status, userData } = useViewer()
  const location = useLocation()
  const [isBusy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Answer | undefined>()

  async function ask(): Promise<Answer> {
    if (!status) return { kind: 'error', text: FAILED }
    try {
      const { providerAccessToken } = await readCurrentSession(api)
      const person = await fetchProviderUser(providerAccessToken, api.settings.googleUserinfoUrl)
      return { kind: 'ok', text: `Google says: ${[person.name, person.email].filter(Boolean).join(', ') || person.sub || 'it is you'}` }
    } catch {
      return { kind: 'error', text: FAILED }
    }
  }
  async function handleVerify() {
    setBusy(true)
    setAnswer(undefined)
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
            <Button kind="primary" isBusy={isBusy} busyLabel="Asking Google" onClick={() => void handleVerify()}>
              <ShieldCheck className="i" aria-hidden="true" />
              Verify OAuth
            </Button>
            {/* A new page: only this one may ask Google. */}
            <Link className={buttonClass('secondary')} to={`${status ? '/dispatch' : '/login'}${nextQueryOf(location)}`} reloadDocument>
              {status ? 'Go on' : 'Sign in'}
            </Link>
          </>
        }
      >
        {isChecking ? <LoadingText>Loading...</LoadingText> : <p>{whoText(userData)}</p>}
        {answer && <Alert kind={answer.kind}>{answer.text}</Alert>}
      </MessageScreen>
    </>
  )
}

function whoText(account: { name: string; email: string } | null): string {
  return account ? `You are signed in as ${account.name || account.email}.` : 'Nobody is signed in here. Sign in to go on.'
}
