// /dispatch: finds out who is signed in, then redirects (product.md §2, product.md §O3).
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
  const [result, setResult] = useState<'pending' | 'signed-in' | 'signed-out'>('pending')
  const [attempts, setAttempts] = useState(0)

  useEffect(() => {
    setResult('pending')
    void refresh().then((account) => setResult(account ? 'signed-in' : 'signed-out'))
  }, [refresh, attempts])

  const hasFailed = result === 'signed-out' && failure !== undefined
  useEffect(() => {
    if (result === 'pending' || hasFailed) return
    const state = returnStateOf(location)
    const isBack = state && result === 'signed-in' && returnsDirectly(state)
    if (isBack) void navigate(state.from, { replace: true })
    else void navigate(result === 'signed-in' ? '/dashboard' : '/login', { replace: true, state })
  }, [result, hasFailed, location, navigate])

  return hasFailed ? (
    <LoadFailure text={texts.dispatch.failed} onRetry={() => setAttempts(attempts + 1)} />
  ) : (
    <PageLoading />
  )
}
