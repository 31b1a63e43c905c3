// Settings: which notifications are also mailed, and the muted posts. A choice is saved at once.
import { type RefObject, useRef } from 'react'
import type { MailChoices, MailFrequency, MailKind, MutedPosts } from '#contract/notifications.ts'
import { roleOf } from '#contract/permissions.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Api, useApi } from '../api/client.ts'
import { LocalDate } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/field.tsx'
import { SettingsList, SettingsSection, useSettingsList } from './settings-form.tsx'

const words = texts.notificationMails
const KINDS = Object.keys(words.kinds) as MailKind[]
const FREQUENCIES = Object.entries<string>(words.frequencies)

export const readMailChoices = (api: Api) => call<MailChoices>(api, 'get', 'mails')
export const listMutedPosts = (api: Api) => call<MutedPosts>(api, 'get', 'muted')

function call<Value>(api: Api, method: string, path: string, values: object = {}): Promise<Value> {
  const url = new URL(`${api.client.config.endpoint}/notifications/${path}`)
  return api.client.call(method, url, { 'content-type': 'application/json' }, { ...values })
}

/** @param initial the choices and the muted posts, if the server sent them with the page */
export function NotificationsSection(initial: {
  mails: MailChoices | undefined
  muted: MutedPosts | undefined
}) {
  const api = useApi()
  const { userData } = useViewer()
  const isOperator = roleOf(userData?.labels ?? []) === 'operator'
  const list = useSettingsList({ initial: initial.mails, load: () => readMailChoices(api) })
  const { value: mails, setValue, attempt, pendingAction } = list
  const choices = useRef<HTMLDivElement>(null)
  const choose = (kind: MailKind, frequency: MailFrequency) =>
    attempt(kind, async () => setValue(await call(api, 'patch', 'mails', { [kind]: frequency })))
  return (
    <SettingsSection id="notifications" title={words.title} text={words.text}>
      <SettingsList list={list} loadingText={words.loading} ref={choices}>
        {mails &&
          KINDS.filter((kind) => isOperator || kind !== 'reports').map((kind) => (
            <SelectField
              key={kind}
              label={words.kinds[kind].name}
              hint={words.kinds[kind].hint}
              choices={FREQUENCIES}
              value={mails.choices[kind]}
              aria-busy={pendingAction === kind || undefined}
              disabled={mails.state === 'off'}
              onChange={(value) => void choose(kind, value as MailFrequency)}
            />
          ))}
        {mails && (
          <p className="hint setting__current">{words.states[mails.state](<b>{mails.email}</b>)}</p>
        )}
      </SettingsList>
      <MutedPostsList initial={initial.muted} above={choices} />
    </SettingsSection>
  )
}

type MutedPostsListProps = {
  initial: MutedPosts | undefined
  above: RefObject<HTMLDivElement | null>
}

function MutedPostsList({ initial, above }: MutedPostsListProps) {
  const api = useApi()
  const list = useSettingsList({ initial, load: () => listMutedPosts(api) })
  const { value: muted, setValue, attempt, pendingAction } = list
  const head = useRef<HTMLDivElement>(null)
  async function unmute(postId: string) {
    await attempt(postId, async () => {
      await call(api, 'delete', `muted/${postId}`)
      setValue(
        (current) =>
          current && { ...current, list: current.list.filter((post) => post.postId !== postId) },
      )
    })
    // The button is removed with its post, and the list with its last post.
    const isLast = muted?.list.length === 1
    ;(isLast ? above : head).current?.focus()
  }
  if (muted?.list.length === 0) return null
  return (
    <>
      <h3>{words.muted}</h3>
      <p className="hint">{words.mutedText}</p>
      <SettingsList list={list} loadingText={words.loading} ref={head}>
        <ul className="sessions">
          {muted?.list.map(({ postId, title, authorName, $createdAt }) => (
            <li key={postId}>
              <span />
              <p>
                <bdi>{title}</bdi>
                <small className="hint">
                  {words.by(<bdi>{authorName}</bdi>, <LocalDate time={$createdAt} />)}
                </small>
              </p>
              <Button isBusy={pendingAction === postId} onClick={() => void unmute(postId)}>
                {texts.bell.unmute}
              </Button>
            </li>
          ))}
        </ul>
      </SettingsList>
    </>
  )
}
