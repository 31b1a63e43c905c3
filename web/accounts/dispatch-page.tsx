// /dispatch: asks who is signed in, then moves on (product.md §2, product.md §O3).
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { LoadFailure } from '../api/load-failure.tsx'
import { texts } from '../locales/texts.ts'
import { PageLoading } from '../ui/screens.tsx'
import { returnStateOf, returnsDirectly } from './return-path.ts'
import { useViewer } from './viewer.tsx'

export function DispatchPage() {
  const { refresh, failure } = useViewer()
  const location = useLocation()
  const navigate = useNavigate()
  const [answer, setAnswer] = useState<'pending' | 'signed-in' | 'signed-out'>('pending')
  const [tries, setTries] = useState(0)

  useEffect(() => {
    setAnswer('pending')
    void refresh().then((account) => setAnswer(account ? 'signed-in' : 'signed-out'))
  }, [refresh, tries])

  const isStuck = answer === 'signed-out' && failure !== undefined
  useEffect(() => {
    if (answer === 'pending' || isStuck) return
    const state = returnStateOf(location)
    const isBack = state && answer === 'signed-in' && returnsDirectly(state)
    if (isBack) void navigate(state.from, { replace: true })
    else void navigate(answer === 'signed-in' ? '/dashboard' : '/login', { replace: true, state })
  }, [answer, isStuck, location, navigate])

  return isStuck ? (
    <LoadFailure text={texts.dispatch.failed} onRetry={() => setTries(tries + 1)} />
  ) : (
    <PageLoading />
  )
}
