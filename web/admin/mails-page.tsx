// /admin/mails: the mails that are stored because no mail server is set up, and their links. When a
// mail server is set up, the page does not exist.
import {
  Bell,
  Copy,
  Info,
  KeyRound,
  LogIn,
  type LucideIcon,
  Mail,
  MailCheck,
  MailOpen,
  UserPlus,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation, useParams } from 'react-router'
import type { OpenedMail, OutboxMail, OutboxMailKind, OutboxMails } from '#contract/operator.ts'
import { NotFound } from '../accounts/not-found.tsx'
import { useApi } from '../api/client.ts'
import { useSiteIdentity } from '../api/site-identity.ts'
import { clockText, DATE_AND_TIME, dateText, useLocalText } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { useCopying } from '../ui/copying.ts'
import { Link } from '../ui/link.tsx'
import { MessageScreen } from '../ui/screens.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { copyLink, failureText, listMails, openMail } from './admin-api.ts'
import { AdminPage, useAdminData } from './admin-frame.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { ListQuery } from './list-parts.tsx'
import { DayTime } from './server-parts.tsx'

const words = texts.adminMails
const ROWS_PER_STEP = 25

const ICONS: Record<OutboxMailKind, LucideIcon> = {
  recovery: KeyRound,
  invitation: UserPlus,
  verification: MailCheck,
  signIn: LogIn,
  code: LogIn,
  notifications: Bell,
  other: Mail,
}

export function AdminMailsPage() {
  const page = useAdminData<OutboxMails>(listMails)
  const { pathname, search } = useLocation()
  if (page.failure?.code === 404) return <NotFound path={pathname} />
  return (
    <AdminPage title={words.title} page={page}>
      {({ total, list }) =>
        total === 0 ? (
          <NoMails />
        ) : (
          <>
            <Notice />
            <ListQuery
              label={words.recipient}
              placeholder={words.recipient}
              filters={[{ name: 'kind', label: words.kind, choices: words.kinds }]}
            />
            <MailRows key={search} list={list} total={total} />
          </>
        )
      }
    </AdminPage>
  )
}

function NoMails() {
  return (
    <MessageScreen
      art="lit"
      title={words.none}
      titleLevel={2}
      isInline
      actions={<ButtonLink to="/admin/settings">{words.setUp}</ButtonLink>}
    >
      <p>{words.noneText}</p>
    </MessageScreen>
  )
}

function Notice() {
  return (
    <div className="admin-notice">
      <Info className="icon" aria-hidden="true" />
      <p>
        <b>{words.notice}</b> {words.noticeText}
        <br />
        <Link className="link" to="/admin/settings">
          {words.setUp}
        </Link>
      </p>
    </div>
  )
}

function MailRows({ list, total }: OutboxMails) {
  const [shownCount, setShownCount] = useState(ROWS_PER_STEP)
  const rows = list.slice(0, shownCount)
  if (list.length === 0) return <p>{words.noneFound}</p>
  return (
    <>
      <ul className="box box-list lines admin-rows">
        {rows.map((mail) => (
          <MailRow key={mail.$id} mail={mail} />
        ))}
      </ul>
      <div className="admin-more">
        {rows.length < list.length && (
          <Button onClick={() => setShownCount(shownCount + ROWS_PER_STEP)}>{words.more}</Button>
        )}
        <p className="hint" role="status">
          {words.showing(rows.length, list.length === total ? total : list.length)}
        </p>
      </div>
    </>
  )
}

function MailRow({ mail }: { mail: OutboxMail }) {
  const { $id, kind, to } = mail
  const Icon = ICONS[kind]
  const name = useMailName(mail)
  return (
    <li className={mail.canCopy ? undefined : 'admin-rows__one'}>
      <span className="avatar admin-rows__icon">
        <Icon className="icon" aria-hidden="true" />
      </span>
      <div>
        <h2>{name}</h2>
        <p className="hint row facts">
          <span>{words.to(<bdi>{to}</bdi>)}</span>
          <DayTime time={mail.time} form="fact" />
          <LinkState mail={mail} />
        </p>
      </div>
      <div className="row-actions">
        {mail.canCopy && <CopyLink mail={mail} name={name} />}
        <ButtonLink
          kind="ghost"
          Icon={MailOpen}
          to={`/admin/mails/${$id}`}
          aria-label={words.openOf(name, to)}
        >
          {words.open}
        </ButtonLink>
      </div>
    </li>
  )
}

/** Subjects end with the name of the blog, which is left out because it is the same for all. */
function useMailName({ kind, subject }: OutboxMail): string {
  const { siteName } = useSiteIdentity()
  if (kind === 'notifications' || kind === 'other') return subject.replace(` – ${siteName}`, '')
  return words.names[kind]
}

function LinkState({ mail: { link, expire, canCopy } }: { mail: OutboxMail }): ReactNode {
  if (link === '') return null
  if (link === 'used') return <span className="chip chip--on">{words.used}</span>
  if (link === 'expired') return <span className="chip">{words.expired}</span>
  return (
    <>
      <span className="chip chip--time">{words.validUntil(<ExpiryTime time={expire} />)}</span>
      {!canCopy && <span>{words.ofOperator}</span>}
    </>
  )
}

/** Shows only the time of day if the link expires today. */
function ExpiryTime({ time }: { time: string }) {
  const isHydrated = useIsHydrated()
  const fullText = useLocalText(time, DATE_AND_TIME)
  const isToday = new Date(time).toDateString() === new Date().toDateString()
  return (
    <time dateTime={time}>
      {isHydrated ? (isToday ? clockText(time) : dateText(time)) : fullText}
    </time>
  )
}

type CopyLinkProps = { mail: OutboxMail; name: string; kind?: 'primary' | 'secondary' }

function CopyLink({
  mail: { $id, kind, to },
  name,
  kind: buttonKind = 'secondary',
}: CopyLinkProps) {
  const api = useApi()
  const toasts = useToasts()
  const copyText = useCopying()
  const [isBusy, setBusy] = useState(false)
  const [uncopiedLink, setUncopiedLink] = useState<string>()
  const label = kind === 'code' ? words.copyCode : words.copy
  async function handleCopy() {
    setBusy(true)
    const answer = await copyLink(api, $id)
    setBusy(false)
    if (!answer.ok)
      return toasts.show({
        kind: 'error',
        text:
          answer.failure.type === 'user_invalid_token'
            ? words.linkInvalid
            : failureText(answer.failure),
      })
    const { link } = answer.value
    if (!(await copyText(link, words.copied(to)))) setUncopiedLink(link)
  }
  return (
    <>
      <Button
        kind={buttonKind}
        Icon={Copy}
        isBusy={isBusy}
        aria-label={words.copyOf(label, name, to)}
        onClick={() => void handleCopy()}
      >
        {label}
      </Button>
      {uncopiedLink && (
        <LinkDialog
          title={words.linkFor(to)}
          text={words.passOn}
          label={label}
          url={uncopiedLink}
          onClose={() => setUncopiedLink(undefined)}
        />
      )}
    </>
  )
}

// --- one mail

export function AdminMailPage() {
  const { mailId = '' } = useParams()
  const page = useAdminData<OpenedMail>((api) => openMail(api, mailId))
  const { pathname } = useLocation()
  const name = page.value ? words.names[page.value.kind] : words.mail
  if (page.failure?.code === 404) return <NotFound path={pathname} />
  return (
    <AdminPage title={words.mailTitle(name)} page={page}>
      {(mail) => (
        <div className="stack">
          <article className="box mail">
            <dl>
              <dt>{words.from}</dt>
              <dd>{mail.from}</dd>
              <dt>{words.recipient}</dt>
              <dd>
                <bdi>{mail.to}</bdi>
              </dd>
              <dt>{words.subject}</dt>
              <dd>
                <b>{mail.subject}</b>
              </dd>
            </dl>
            <div className="mail__text" dir="auto">
              {mail.text.split(/\n{2,}/).map((paragraph, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
                <p key={index} className={/^https?:/.test(paragraph) ? 'mono' : undefined}>
                  {paragraph}
                </p>
              ))}
            </div>
          </article>
          <p className="row">
            <DayTime time={mail.time} form="fact" />
            <LinkState mail={mail} />
          </p>
          {mail.link && <p className="hint">{words.noSecrets}</p>}
          <div className="row">
            {mail.canCopy && <CopyLink mail={mail} name={name} kind="primary" />}
            <ButtonLink to="/admin/mails">{words.back}</ButtonLink>
          </div>
        </div>
      )}
    </AdminPage>
  )
}
