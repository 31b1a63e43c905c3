// Settings: the sessions of the person. Each can be ended alone, or all together.
import { LogOut, MonitorSmartphone } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Session } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { failureOf } from '../api/result.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { endSession, listSessions } from './account-changes-api.ts'
import { formFailureOf } from './form-failure.ts'
import { deviceText, placeText, signInMethodText } from './session-texts.ts'
import { SettingsSection } from './settings-section.tsx'
import { DATE_AND_TIME, useLocalText } from './use-local-text.ts'
import { isSessionGone } from './use-settings-form.ts'
import { useViewer } from './viewer.tsx'

type SessionsSectionProps = {
  /** What the server loaded with the page, if it did. */
  first: Session[] | undefined
  /**
   * Another number means that sessions ended elsewhere on the page: the list is asked for again.
   */
  version: number
}

export function SessionsSection({ first, version }: SessionsSectionProps) {
  const { sessions, failureText, load, end, endAll, ending } = useSessions(first, version)
  const head = useRef<HTMLDivElement>(null)

  async function handleEnd(session: Session) {
    await end(session)
    // The button is removed with its session: the focus stays in the list.
    if (!session.current) head.current?.focus()
  }
  return (
    <SettingsSection title={texts.sessions.title} text={texts.sessions.text}>
      <div ref={head} tabIndex={-1} className="stack">
        {failureText && <Alert kind="error">{failureText}</Alert>}
        {!sessions && !failureText && <LoadingText>{texts.waiting.page}</LoadingText>}
        {!sessions && failureText && (
          <div className="row">
            <Button onClick={() => void load()}>{texts.actions.tryAgain}</Button>
          </div>
        )}
        {sessions && (
          // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without bullets
          <ul className="sessions" role="list" aria-label={texts.sessions.title}>
            {sessions.map((session) => (
              <SessionItem
                key={session.$id}
                session={session}
                isBusy={ending === session.$id}
                onEnd={() => void handleEnd(session)}
              />
            ))}
          </ul>
        )}
        {sessions && (
          <div className="row">
            <Button
              isBusy={ending === 'all'}
              busyLabel={texts.signing.goingOut}
              onClick={() => void endAll()}
            >
              <LogOut className="icon flip-in-rtl" aria-hidden="true" />
              {texts.sessions.endAll}
            </Button>
          </div>
        )}
      </div>
    </SettingsSection>
  )
}

function SessionItem({
  session,
  isBusy,
  onEnd,
}: {
  session: Session
  isBusy: boolean
  onEnd: () => void
}) {
  const device = deviceText(session)
  const began = useLocalText(session.$createdAt, DATE_AND_TIME)
  const way = signInMethodText(session)
  const place = placeText(session)
  return (
    <li>
      <MonitorSmartphone className="icon" aria-hidden="true" />
      <div>
        <p className="sessions__device">
          <b>{device}</b>
          {session.current && <span className="chip chip--on">{texts.session.here}</span>}
        </p>
        <p className="facts">
          <span>
            {texts.session.since(<time dateTime={session.$createdAt}>{began}</time>)}
            {way && `, ${way}`}
          </span>
          {place && <span>{place}</span>}
        </p>
      </div>
      <Button
        kind="ghost"
        isBusy={isBusy}
        busyLabel={texts.signing.goingOut}
        aria-label={texts.session.end(device, began)}
        onClick={onEnd}
      >
        {texts.signing.out}
      </Button>
    </li>
  )
}

function useSessions(first: Session[] | undefined, version: number) {
  const api = useApi()
  const { show } = useToasts()
  const { setSignedOut, refresh, signOut } = useViewer()
  const [sessions, setSessions] = useState(first)
  const [failureText, setFailureText] = useState<string | undefined>()
  const isLoaded = useRef(first !== undefined)
  const [ending, setEnding] = useState<string | undefined>()

  const handleFailure = useCallback(
    async (error: unknown) => {
      if (isSessionGone(error)) await refresh()
      setFailureText(formFailureOf(error).message)
    },
    [refresh],
  )
  const load = useCallback(async () => {
    setFailureText(undefined)
    try {
      setSessions(await listSessions(api))
    } catch (error) {
      await handleFailure(error)
    }
  }, [api, handleFailure])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another `version` asks again
  useEffect(() => {
    if (!isLoaded.current) void load()
    isLoaded.current = false
  }, [load, version])

  async function attempt(what: string, work: () => Promise<void>) {
    setEnding(what)
    setFailureText(undefined)
    try {
      await work()
    } catch (error) {
      await handleFailure(error)
    } finally {
      setEnding(undefined)
    }
  }
  const end = (session: Session) =>
    attempt(session.$id, async () => {
      await endSession(api, session.current ? 'current' : session.$id).catch((error: unknown) => {
        if (failureOf(error).type !== 'user_session_not_found') throw error // it had ended already
      })
      if (session.current) setSignedOut()
      else setSessions((now) => now?.filter(({ $id }) => $id !== session.$id))
      show({ kind: 'ok', text: session.current ? texts.session.endedHere : texts.session.ended })
    })
  const endAll = () =>
    attempt('all', async () => {
      await signOut()
      show({ kind: 'ok', text: texts.signedOutEverywhere })
    })
  return { sessions, failureText, load, end, endAll, ending }
}
