// Loads what belongs to the viewer, and puts what went wrong into words. Knows nothing of how it
// looks.
import { useEffect, useState } from 'react'
import { getAccount } from '../accounts/accounts-api.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import type { Api } from '../api/client.ts'
import { useFirstData } from '../api/first-data.ts'
import type { Failure, Result } from '../api/result.ts'
import { texts } from '../locales/texts.ts'
import { causeOf } from '../posts/failure-cause.ts'

export type Loaded<Value> =
  | { state: 'pending' }
  | { state: 'there'; value: Value }
  | { state: 'failed'; failure: Failure }

const FORBIDDEN: Failure = { message: '', code: 403, type: '' }
const PENDING = { state: 'pending' } as const

/**
 * @param key what is loaded, and for whom; another key begins anew
 * @param load asks for it
 */
export function useOwn<Value>(
  key: string,
  load: (api: Api) => Promise<Result<Value>>,
): { found: Loaded<Value>; retry: () => void } {
  const api = useApi()
  const { userData, refresh } = useViewer()
  const userId = userData?.$id ?? ''
  const whole = `${userId} ${key}`
  // The server loads nothing to show, only why there is nothing.
  const first = useFirstData<object>(userId)
  const [answer, setAnswer] = useState<{ key: string; found: Loaded<Value> } | undefined>(
    first?.ok === false
      ? { key: whole, found: { state: 'failed', failure: first.failure } }
      : undefined,
  )
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again
  useEffect(() => {
    if (answer?.key === whole) return
    let isCurrent = true
    async function ask(): Promise<Loaded<Value>> {
      const result = await load(api)
      if (result.ok) return { state: 'there', value: result.value }
      // A guest gets the same refusal as somebody else.
      const isRefused = result.failure.type === 'user_unauthorized'
      const asked = isRefused ? { ...result.failure, code: 404 } : result.failure
      const cause = await causeOf(asked, userId, () => getAccount(api))
      const failure = isRefused && cause === asked ? FORBIDDEN : cause
      // The session has ended, or another person is signed in: the page must know it.
      if (failure.code === 401 && isCurrent) await refresh()
      return { state: 'failed', failure }
    }
    void ask().then((found) => {
      if (isCurrent) setAnswer({ key: whole, found })
    })
    return () => {
      isCurrent = false
    }
  }, [api, whole, attempt])
  return {
    found: answer?.key === whole ? answer.found : PENDING,
    retry: () => {
      setAnswer(undefined)
      setAttempt(attempt + 1)
    },
  }
}

export function reasonText({ code, message }: Failure): string {
  if (code === 401) return texts.failures.signedOut
  if (code === 0) return texts.failures.checkConnection
  return code === 429 ? texts.failures.tooManyTries : message
}
