// The router's error screen (product.md §8, product.md §O40). Shows the status line, never what was
// thrown.
import { RotateCw } from 'lucide-react'
import { useContext, useState } from 'react'
import {
  isRouteErrorResponse,
  useLocation,
  useNavigate,
  useNavigation,
  useRouteError,
} from 'react-router'
import { lastRefusedRequest } from '../api/answers.ts'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { useWhenOnline } from '../ui/use-online.ts'
import { errorStatusOf, isUnanswered, statusLineOf } from './error-status.ts'
import { InShell } from './in-shell.ts'
import { NoAnswer } from './no-answer.tsx'

export function ErrorScreen() {
  const error = useRouteError()
  const isInShell = useContext(InShell)
  return isInShell && isUnanswered(error) ? <Unanswered /> : <Failed error={error} />
}

/** What did not come is asked for again, by itself when the network is back. */
function Unanswered() {
  const { pathname, search, hash, state } = useLocation()
  const navigate = useNavigate()
  const { state: now } = useNavigation()
  // A revalidation would not do: what failed while it was rendered stays until the place changes.
  const retry = () =>
    void navigate({ pathname, search, hash }, { replace: true, state, preventScrollReset: true })
  useWhenOnline(() => {
    if (now === 'idle') retry()
  })
  return <NoAnswer text={texts.failures.noAnswer} isBusy={now !== 'idle'} onRetry={retry} />
}

function sentenceOf(error: unknown, status: number): (statusLine: string) => string {
  const { missing, refused, text } = texts.errorScreen
  if (!isRouteErrorResponse(error)) return text
  if (status === 404) return missing
  return status === 400 || status === 405 ? refused[status] : text
}

function Failed({ error }: { error: unknown }) {
  const { settings } = useApi()
  const status = errorStatusOf(error)
  const [at] = useState(() => new Date().toISOString().slice(0, 19).replace('T', ' '))
  const requestId = settings.requestId ?? lastRefusedRequest()
  const isInShell = useContext(InShell)
  const screen = (
    <>
      <PageTitle screen={statusLineOf(status)} site={settings.siteName} />
      <MessageScreen
        art="off"
        title={texts.errorScreen.title}
        isAlert
        actions={
          <>
            <Button kind="primary" onClick={() => window.location.reload()}>
              <RotateCw className="icon" aria-hidden="true" />
              {texts.errorScreen.reload}
            </Button>
            {/* A whole new page: the app that failed is not asked to go on. */}
            <a className={buttonClass('secondary')} href="/post">
              {texts.places.allPosts}
            </a>
          </>
        }
        // Finds the entry in the server's log.
        foot={
          <>
            {requestId && <>{texts.errorScreen.request(<bdi>{requestId}</bdi>)} · </>}
            {texts.errorScreen.at(at)}
          </>
        }
      >
        <p>{sentenceOf(error, status)(statusLineOf(status))}</p>
      </MessageScreen>
    </>
  )
  return isInShell ? screen : <main className="container">{screen}</main>
}
