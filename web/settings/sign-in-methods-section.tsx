// Settings: how the user can sign in. A provider can be unlinked unless it is the only method
// (threat-model.md §6).
import { KeyRound } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import type { Account, Identity } from '#contract/accounts.ts'
import { listSessions } from '../accounts/accounts-api.ts'
import { GoogleIcon, leaveForGoogle } from '../accounts/google-button.tsx'
import { nextQueryOf } from '../accounts/return-path.ts'
import { type Api, useApi } from '../api/client.ts'
import { useLocalText } from '../dates/dates.tsx'
import { formFailureOf } from '../forms/form-failure.ts'
import { DATE_FORMAT } from '../head/localise-dates.ts'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { afterDialogs } from '../ui/use-modal.ts'
import { SettingsList, SettingsSection, useSettingsList } from './settings-form.tsx'

const NEXT = nextQueryOf({ state: { from: '/settings/sign-in' }, search: '' })

export type SignInMethod = {
  identity: Identity
  /** The number of sessions that began with this method, not counting the current one. */
  otherSessions: number
}

export async function listSignInMethods(api: Api): Promise<SignInMethod[]> {
  const [{ identities }, sessions] = await Promise.all([
    api.account.listIdentities(),
    listSessions(api),
  ])
  return identities.map((identity) => ({
    identity,
    otherSessions: sessions.filter(
      ({ provider, providerUid, current }) =>
        provider === identity.provider && providerUid === identity.providerUid && !current,
    ).length,
  }))
}

type SignInMethodsSectionProps = {
  account: Account
  initial: SignInMethod[] | undefined
  /** Changes when another section of the page has ended sessions. */
  reloadKey: number
  /** Opens the password form. */
  onPasswordChosen: () => void
  /** Called when unlinking a provider has ended sessions. */
  onRemoved: () => void
}

export function SignInMethodsSection(props: SignInMethodsSectionProps) {
  const { account, initial, reloadKey, onPasswordChosen, onRemoved } = props
  const api = useApi()
  const { show } = useToasts()
  const list = useSettingsList({ initial, load: () => listSignInMethods(api), reloadKey })
  const { ask, dialog } = useConfirm()
  const box = useRef<HTMLDivElement>(null)
  const words = texts.signInMethods

  async function handleRemove({ $id }: Identity) {
    try {
      await api.account.deleteIdentity($id)
    } catch (error) {
      return formFailureOf(error).message
    }
    list.setValue((current) => current?.filter(({ identity }) => identity.$id !== $id))
    // The button is removed with its row: the focus stays in the list.
    afterDialogs(() => box.current?.focus())
    show({ kind: 'ok', text: words.removed })
    onRemoved()
    return undefined
  }
  function handleAsk({ identity, otherSessions }: SignInMethod) {
    const { removal } = texts
    ask({
      title: removal.question,
      text: (
        <p>
          {removal.noLonger(<bdi>{identity.providerEmail || removal.thisAccount}</bdi>)}{' '}
          {account.passwordUpdate !== '' && `${removal.passwordStays} `}
          {removal.sessionsEnd(otherSessions)}
        </p>
      ),
      confirmLabel: removal.button,
      isWide: true,
      onConfirm: () => handleRemove(identity),
    })
  }
  return (
    <SettingsSection title={words.title} text={words.text}>
      <SettingsList list={list} ref={box}>
        {list.value && (
          <Methods
            account={account}
            methods={list.value}
            onPasswordChosen={onPasswordChosen}
            onRemove={handleAsk}
          />
        )}
      </SettingsList>
      {dialog}
    </SettingsSection>
  )
}

type MethodsProps = {
  account: Account
  methods: SignInMethod[]
  onPasswordChosen: () => void
  onRemove: (method: SignInMethod) => void
}

function Methods({ account, methods, onPasswordChosen, onRemove }: MethodsProps) {
  const api = useApi()
  const onlyId = useId()
  const words = texts.signInMethods
  const hasPassword = account.passwordUpdate !== ''
  const isOnly = !hasPassword && methods.length === 1
  const canLinkGoogle =
    api.settings.hasGoogle && methods.every(({ identity }) => identity.provider !== 'google')
  return (
    <>
      <ul className="ways" aria-label={words.title}>
        {hasPassword && (
          <Method
            icon={<KeyRound className="icon" aria-hidden="true" />}
            name={texts.fields.password}
            details={words.changed(<Day time={account.passwordUpdate} />)}
          >
            <Button
              kind="ghost"
              aria-label={texts.passwordSaving.button}
              onClick={onPasswordChosen}
            >
              {words.change}
            </Button>
          </Method>
        )}
        {methods.map((method) => (
          <Method
            key={method.identity.$id}
            icon={<GoogleIcon sidePixels={20} />}
            name={words.google}
            details={<IdentityDetails identity={method.identity} />}
          >
            <Button
              aria-label={words.removeGoogle}
              aria-disabled={isOnly}
              aria-describedby={isOnly ? onlyId : undefined}
              onClick={() => onRemove(method)}
            >
              {words.remove}
            </Button>
          </Method>
        ))}
        {canLinkGoogle && (
          <Method
            icon={<GoogleIcon sidePixels={20} />}
            name={words.google}
            details={
              account.emailVerification
                ? words.notLinked(<bdi>{account.email}</bdi>)
                : words.confirmFirst
            }
          >
            {account.emailVerification && (
              <Button onClick={() => leaveForGoogle(api, NEXT)}>{words.link}</Button>
            )}
          </Method>
        )}
      </ul>
      {!hasPassword && (
        <>
          <p id={onlyId} className="hint">
            {isOnly ? words.onlyMethod : words.noPassword}
          </p>
          <div className="row">
            <Button onClick={onPasswordChosen}>{words.setPassword}</Button>
          </div>
        </>
      )}
    </>
  )
}

type MethodProps = { icon: ReactNode; name: string; details: ReactNode; children: ReactNode }

function Method({ icon, name, details, children }: MethodProps) {
  return (
    <li>
      {icon}
      <p>
        {name}
        <small className="hint">{details}</small>
      </p>
      {children}
    </li>
  )
}

function IdentityDetails({ identity }: { identity: Identity }) {
  return (
    <>
      {identity.providerEmail && (
        <>
          <bdi>{identity.providerEmail}</bdi>,{' '}
        </>
      )}
      {texts.signInMethods.times(
        <Day time={identity.$createdAt} />,
        <Day time={identity.$updatedAt} />,
      )}
    </>
  )
}

function Day({ time }: { time: string }) {
  return <time dateTime={time}>{useLocalText(time, DATE_FORMAT)}</time>
}
