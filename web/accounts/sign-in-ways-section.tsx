// Settings: the ways into the account. A linked one can be removed, but never the only one
// (decision 0021).
import { KeyRound } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { Account, Identity } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { DATE_FORMAT } from '../head/early-dates.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { useToasts } from '../ui/toasts.tsx'
import google from './google.svg'
import { leaveForGoogle } from './google-button.tsx'
import { RemoveWayDialog } from './remove-way-dialog.tsx'
import { SETTINGS_NEXT } from './return-path.ts'
import { SettingsSection } from './settings-section.tsx'
import { GOOGLE, type SignInWay, useSignInWays } from './sign-in-ways.ts'
import { useLocalText } from './use-local-text.ts'

type SignInWaysSectionProps = {
  account: Account
  /** What the server loaded with the page, if it did. */
  first: SignInWay[] | undefined
  /** Another number means that sessions ended elsewhere on the page. */
  version: number
  /** Brings the person to the form of the password. */
  onPassword: () => void
  /** Sessions have ended with the way that was removed. */
  onRemoved: () => void
}

export function SignInWaysSection({
  account,
  first,
  version,
  onPassword,
  onRemoved,
}: SignInWaysSectionProps) {
  const { ways, failureText, load, remove } = useSignInWays(first, version)
  const { show } = useToasts()
  const [asking, setAsking] = useState<SignInWay | undefined>()
  const box = useRef<HTMLDivElement>(null)

  async function handleRemove(identity: Identity) {
    await remove(identity)
    setAsking(undefined)
    // The button is removed with its row: the focus stays in the list.
    box.current?.focus()
    show({ kind: 'ok', text: texts.signInWays.removed })
    onRemoved()
  }
  return (
    <SettingsSection title={texts.signInWays.title} text={texts.signInWays.text}>
      <div ref={box} tabIndex={-1} className="stack">
        {failureText && <Alert kind="error">{failureText}</Alert>}
        {!ways && !failureText && <LoadingText>{texts.waiting.page}</LoadingText>}
        {!ways && failureText && (
          <div className="row">
            <Button onClick={() => void load()}>{texts.actions.tryAgain}</Button>
          </div>
        )}
        {ways && (
          <Ways account={account} ways={ways} onPassword={onPassword} onRemove={setAsking} />
        )}
      </div>
      {asking && (
        <RemoveWayDialog
          way={asking}
          hasPassword={account.passwordUpdate !== ''}
          onRemove={() => handleRemove(asking.identity)}
          onCancel={() => setAsking(undefined)}
        />
      )}
    </SettingsSection>
  )
}

function Ways({
  account,
  ways,
  onPassword,
  onRemove,
}: {
  account: Account
  ways: SignInWay[]
  onPassword: () => void
  onRemove: (way: SignInWay) => void
}) {
  const api = useApi()
  const onlyId = useId()
  const hasPassword = account.passwordUpdate !== ''
  const isOnly = !hasPassword && ways.length === 1
  const isGoogleMissing =
    api.settings.hasGoogle && ways.every(({ identity }) => identity.provider !== GOOGLE)
  return (
    <>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without bullets */}
      <ul className="ways" role="list" aria-label={texts.signInWays.title}>
        {hasPassword && (
          <Way
            icon={<KeyRound className="icon" aria-hidden="true" />}
            name={texts.fields.password}
            details={texts.signInWays.changed(<Day time={account.passwordUpdate} />)}
          >
            <Button kind="ghost" aria-label={texts.passwordSaving.button} onClick={onPassword}>
              {texts.signInWays.change}
            </Button>
          </Way>
        )}
        {ways.map((way) => (
          <Way
            key={way.identity.$id}
            icon={<GoogleIcon />}
            name={texts.signInWays.google}
            details={<IdentityDetails identity={way.identity} />}
          >
            <Button
              aria-label={texts.signInWays.removeGoogle}
              aria-disabled={isOnly}
              aria-describedby={isOnly ? onlyId : undefined}
              onClick={() => onRemove(way)}
            >
              {texts.signInWays.remove}
            </Button>
          </Way>
        ))}
        {isGoogleMissing && (
          <Way
            icon={<GoogleIcon />}
            name={texts.signInWays.google}
            details={
              account.emailVerification
                ? texts.signInWays.notLinked(<bdi>{account.email}</bdi>)
                : texts.signInWays.confirmFirst
            }
          >
            {account.emailVerification && (
              <Button onClick={() => leaveForGoogle(api, SETTINGS_NEXT)}>
                {texts.signInWays.link}
              </Button>
            )}
          </Way>
        )}
      </ul>
      {!hasPassword && (
        <>
          <p id={onlyId} className="hint">
            {isOnly ? texts.signInWays.only : texts.signInWays.noPassword}
          </p>
          <div className="row">
            <Button onClick={onPassword}>{texts.signInWays.setPassword}</Button>
          </div>
        </>
      )}
    </>
  )
}

function Way({
  icon,
  name,
  details,
  children,
}: {
  icon: ReactNode
  name: string
  details: ReactNode
  children: ReactNode
}) {
  return (
    <li>
      {icon}
      <p>
        {name}
        <small>{details}</small>
      </p>
      {children}
    </li>
  )
}

function IdentityDetails({ identity }: { identity: Identity }) {
  const times = texts.signInWays.times(
    <Day time={identity.$createdAt} />,
    <Day time={identity.$updatedAt} />,
  )
  return identity.providerEmail ? (
    <>
      <bdi>{identity.providerEmail}</bdi>, {times}
    </>
  ) : (
    times
  )
}

function Day({ time }: { time: string }) {
  return <time dateTime={time}>{useLocalText(time, DATE_FORMAT)}</time>
}

function GoogleIcon() {
  return (
    <span className="google-icon">
      <img src={google} alt="" width={20} height={20} />
    </span>
  )
}
