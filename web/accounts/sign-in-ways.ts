// The ways into an account as the settings show them: the calls, what they answered, and what
// removing one ends.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Identity, Session } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import type { Api } from '../api/client.ts'
import { listSessions } from './account-changes-api.ts'
import { formFailureOf } from './form-failure.ts'
import { isSessionGone } from './use-settings-form.ts'
import { useViewer } from './viewer.tsx'

export const GOOGLE = 'google'

export type SignInWay = {
  identity: Identity
  /** Sessions that began with it, without the current one. */
  otherSessions: number
}

export type SignInWays = {
  /** Undefined while they are not known. */
  ways: SignInWay[] | undefined
  failureText: string | undefined
  load: () => Promise<void>
  /** @throws whatever the call throws */
  remove: (identity: Identity) => Promise<void>
}

/**
 * @param first what the server loaded with the page, if it did
 * @param version another number asks again: sessions ended elsewhere on the page
 */
export function useSignInWays(first: SignInWay[] | undefined, version: number): SignInWays {
  const api = useApi()
  const { refresh } = useViewer()
  const [ways, setWays] = useState(first)
  const [failureText, setFailureText] = useState<string | undefined>()
  const isLoaded = useRef(first !== undefined)

  const load = useCallback(async () => {
    setFailureText(undefined)
    try {
      setWays(await listWays(api))
    } catch (error) {
      if (isSessionGone(error)) await refresh()
      setFailureText(formFailureOf(error).message)
    }
  }, [api, refresh])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another `version` asks again
  useEffect(() => {
    if (!isLoaded.current) void load()
    isLoaded.current = false
  }, [load, version])

  async function remove({ $id }: Identity) {
    await api.account.deleteIdentity($id)
    setWays((now) => now?.filter(({ identity }) => identity.$id !== $id))
  }
  return { ways, failureText, load, remove }
}

export async function listWays(api: Api): Promise<SignInWay[]> {
  const [{ identities }, sessions] = await Promise.all([
    api.account.listIdentities(),
    listSessions(api),
  ])
  return identities.map((identity) => ({
    identity,
    otherSessions: sessions.filter((session) => beganWith(session, identity)).length,
  }))
}

function beganWith({ provider, providerUid, current }: Session, identity: Identity): boolean {
  return provider === identity.provider && providerUid === identity.providerUid && !current
}
