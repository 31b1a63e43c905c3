// /dispatch: asks who is signed in, then moves on (product.md §2, product.md §O3).
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { isStraightBack, returnStateOf } from './return-path.ts'
import { useViewer } from './viewer.tsx'

export function DispatchPage() {
  const api = useApi()
  const { refresh, failure } = useViewer()
  const location = useLocation()
  const navigate = useNavigate()
  const [answer, setAnswer] = useState<'pending' | 'signed-in' | 'signed-out'>('pending')
  const [tries, setTries] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again
  useEffect(() => {
    setAnswer('pending')
    void refresh().then((account) => setAnswer(account ? 'signed-in' : 'signed-out'))
  }, [refresh, tries])

  const isStuck = answer === 'signed-out' && failure !== undefined
  useEffect(() => {
    if (answer === 'pending' || isStuck) return
    const state = returnStateOf(location)
    const isBack = state && answer === 'signed-in' && isStraightBack(state)
    if (isBack) void navigate(state.from, { replace: true })
    else void navigate(answer === 'signed-in' ? '/dashboard' : '/login', { replace: true, state })
  }, [answer, isStuck, location, navigate])

  return (
    <>
      <PageTitle screen={texts.waiting.screen} site={api.settings.siteName} />
      {isStuck ? (
        <MessageScreen
          art="off"
          title={texts.failures.title}
          isAlert
          actions={
            <Button kind="primary" onClick={() => setTries(tries + 1)}>
              {texts.actions.tryAgain}
            </Button>
          }
        >
          <p>{texts.dispatch.failed}</p>
        </MessageScreen>
      ) : (
        <div className="message-screen message-screen--guard">
          <h1 className="visually-hidden">{api.settings.siteName}</h1>
          <LoadingText>{texts.waiting.page}</LoadingText>
        </div>
      )}
    </>
  )
}
