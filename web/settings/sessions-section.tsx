// Settings: the user's sessions. Each one can be ended, or all of them.
import { LogOut, MonitorSmartphone } from 'lucide-react'
import { useRef } from 'react'
import type { Session } from '#contract/accounts.ts'
import { listSessions } from '../accounts/accounts-api.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { failureOf, useApi } from '../api/client.ts'
import { DATE_AND_TIME, useLocalText } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { Fold } from '../ui/fold.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { SettingsList, SettingsSection, useSettingsList } from './settings-form.tsx'

/** The current session, and the newest other one. */
const SHOWN_SESSIONS = 2

/** @param props `reloadKey` changes when another section of the page has ended sessions */
export function SessionsSection({
  initial,
  reloadKey,
}: {
  initial: Session[] | undefined
  reloadKey: number
}) {
  const api = useApi()
  const { show } = useToasts()
  const { setSignedOut, signOut } = useViewer()
  const list = useSettingsList({ initial, load: () => listSessions(api), reloadKey })
  const { setValue, pendingAction, attempt } = list
  const head = useRef<HTMLDivElement>(null)

  async function handleEnd({ $id, current }: Session) {
    await attempt($id, async () => {
      await api.account.deleteSession(current ? 'current' : $id).catch((error: unknown) => {
        // This type means that the session had ended already.
        if (failureOf(error).type !== 'user_session_not_found') throw error
      })
      if (current) setSignedOut()
      else setValue((current) => current?.filter((session) => session.$id !== $id))
      show({ kind: 'ok', text: current ? texts.session.endedHere : texts.session.ended })
    })
    // The button is removed with its session: the focus stays in the list.
    if (!current) head.current?.focus()
  }
  function handleEndAll() {
    void attempt('all', async () => {
      await signOut()
      show({ kind: 'ok', text: texts.signedOutEverywhere })
    })
  }
  const sessions = list.value?.toSorted(
    (first, second) =>
      Number(second.current) - Number(first.current) ||
      second.$createdAt.localeCompare(first.$createdAt),
  )
  const older = sessions?.slice(SHOWN_SESSIONS) ?? []
  const showSession = (session: Session) => (
    <SessionItem
      key={session.$id}
      session={session}
      isBusy={pendingAction === session.$id}
      onEnd={() => void handleEnd(session)}
    />
  )
  return (
    <SettingsSection title={texts.sessions.title} text={texts.sessions.text}>
      <SettingsList list={list} ref={head}>
        {sessions && (
          <>
            <ul className="lines sessions" aria-label={texts.sessions.title}>
              {sessions.slice(0, SHOWN_SESSIONS).map(showSession)}
            </ul>
            {older.length > 0 && (
              <Fold title={texts.sessions.older(older.length)}>
                <ul className="lines sessions" aria-label={texts.sessions.olderList}>
                  {older.map(showSession)}
                </ul>
              </Fold>
            )}
            <div className="row">
              <Button
                isBusy={pendingAction === 'all'}
                busyLabel={texts.signing.signingOut}
                onClick={handleEndAll}
              >
                <LogOut className="icon flip-in-rtl" aria-hidden="true" />
                {texts.sessions.endAll}
              </Button>
            </div>
          </>
        )}
      </SettingsList>
    </SettingsSection>
  )
}

type SessionItemProps = { session: Session; isBusy: boolean; onEnd: () => void }

function SessionItem({ session, isBusy, onEnd }: SessionItemProps) {
  const device = deviceText(session)
  const began = useLocalText(session.$createdAt, DATE_AND_TIME)
  const method = signInMethodText(session)
  const place = placeText(session)
  return (
    <li>
      <MonitorSmartphone className="icon" aria-hidden="true" />
      <div>
        <p className="row sessions__device">
          <b>{device}</b>
          {session.current && <span className="chip chip--on">{texts.session.thisDevice}</span>}
        </p>
        <p className="hint row facts">
          <span>
            {texts.session.since(<time dateTime={session.$createdAt}>{began}</time>)}
            {method && `, ${method}`}
          </span>
          {place && <span>{place}</span>}
        </p>
      </div>
      <Button
        kind="ghost"
        isBusy={isBusy}
        busyLabel={texts.signing.signingOut}
        aria-label={texts.session.end(device, began)}
        onClick={onEnd}
      >
        {texts.signing.out}
      </Button>
    </li>
  )
}

/** "Chrome on GNU/Linux", or as much of it as is known. */
export function deviceText({ clientName, osName, deviceBrand, deviceModel }: Session): string {
  const device = [deviceBrand, deviceModel].filter(Boolean).join(' ')
  const system = device || osName
  if (clientName && system) return texts.session.on(clientName, system)
  return clientName || system || texts.session.unknownDevice
}

/** "Norway, 192.0.2.1"; without the country when it is unknown. */
export function placeText({ countryCode, countryName, ip }: Session): string {
  const country = countryCode === '--' || countryName === 'Unknown' ? '' : countryName
  return [country, ip].filter(Boolean).join(', ')
}

/** How the user signed in; "" for an unknown provider. */
export function signInMethodText({ provider }: Session): string {
  const { password, link, google } = texts.session.methods
  return (
    new Map([
      ['email', password],
      ['magic-url', link],
      ['google', google],
    ]).get(provider) ?? ''
  )
}
