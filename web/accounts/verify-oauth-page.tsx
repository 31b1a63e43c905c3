// /verifyOAuth: the page to which Google returns the user. It says who is signed in; its button
// requests the profile from Google, with the token of the session (product.md §O5).
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { LoadingText, MessageScreen } from '../ui/screens.tsx'
import { fetchProviderUser } from './accounts-api.ts'
import { nextQueryOf } from './return-path.ts'
import { useViewer } from './viewer.tsx'

type Outcome = { kind: 'ok' | 'error'; text: string }

export function VerifyOAuthPage() {
  const api = useApi()
  const { isChecking, status, userData } = useViewer()
  const location = useLocation()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | undefined>()

  async function requestProfile(): Promise<Outcome> {
    if (!status) return { kind: 'error', text: texts.oauthResults.failed }
    try {
      const { providerAccessToken } = await api.account.getSession('current')
      const person = await fetchProviderUser(providerAccessToken, api.settings.googleUserinfoUrl)
      const profile =
        [person.name, person.email].filter(Boolean).join(', ') ||
        person.sub ||
        texts.oauthResults.noProfile
      return { kind: 'ok', text: texts.oauthResults.profile(profile) }
    } catch {
      return { kind: 'error', text: texts.oauthResults.failed }
    }
  }
  async function handleVerify() {
    setBusy(true)
    setOutcome(undefined)
    setOutcome(await requestProfile())
    setBusy(false)
  }

  const { signedInAs, nobody } = texts.oauthResults
  const viewerText = userData ? signedInAs(userData.name || userData.email) : nobody
  return (
    <MessageScreen
      screen={texts.oauth.screen}
      art="lit"
      title={texts.oauth.title}
      actions={
        <>
          <Button
            kind="primary"
            isBusy={isBusy}
            busyLabel={texts.oauth.busy}
            onClick={() => void handleVerify()}
            Icon={ShieldCheck}
          >
            {texts.oauth.screen}
          </Button>
          {/* A new document: only this page's policy allows calls to Google. */}
          <ButtonLink
            to={`${status ? '/dispatch' : '/login'}${nextQueryOf(location)}`}
            reloadDocument
          >
            {status ? texts.oauth.continue : texts.signing.in}
          </ButtonLink>
        </>
      }
    >
      {isChecking ? <LoadingText>{texts.loading.page}</LoadingText> : <p>{viewerText}</p>}
      {outcome && <Alert kind={outcome.kind}>{outcome.text}</Alert>}
    </MessageScreen>
  )
}
