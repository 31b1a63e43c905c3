// Lines of notifications, each one link, and what stands there while there are none.

import { BellOff, Check, EyeOff, Flag, Heart, type LucideIcon, UserRoundPlus } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import type { To } from 'react-router'
import type { Notification, NotificationKind } from '#contract/notifications.ts'
import { commentElementId } from '#contract/post-url.ts'
import { dayTimeText, LocalDate, timeOfDay } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button, type ButtonKind } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { LoadingText } from '../ui/screens.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { useIsOnline } from '../ui/use-online.ts'
import type { Notifications } from './use-notifications.ts'

const words = texts.bell
const FACE_PIXELS = 40
const MIDDLE_BUTTON = 1

/** @param props.children the lines */
export function NotificationList({ of, children }: { of: Notifications; children: ReactNode }) {
  const { page, hasFailed, news } = of
  const isOnline = useIsOnline()
  const text = words.news(news)
  return (
    <>
      {page && !isOnline && (
        <p className="quiet notes__note" role="status">
          {words.offline(timeOfDay(of.atMs))}
        </p>
      )}
      <p className="visually-hidden" role="status">
        {news > 0 && text}
      </p>
      {news > 0 && (
        <Button
          className="btn--pill notes__note"
          onClick={({ currentTarget }) => {
            focusHeading(currentTarget)
            of.showNews()
          }}
        >
          {words.show(text)}
        </Button>
      )}
      {!page && !hasFailed && <LoadingText>{words.loading}</LoadingText>}
      {hasFailed && (
        <div className="notes__note">
          <Alert kind="error">{words.failed}</Alert>
          <Button onClick={of.retry}>{texts.actions.tryAgain}</Button>
        </div>
      )}
      {page?.list.length === 0 && (
        <div className="notes__empty">
          <Face Icon={BellOff} />
          <b>{words.empty}</b>
          <span className="quiet">{words.emptyHint}</span>
        </div>
      )}
      {children}
    </>
  )
}

export function ReadAllButton({ of, kind }: { of: Notifications; kind: ButtonKind }) {
  if (!of.page?.unread) return null
  function handleClick({ currentTarget }: MouseEvent) {
    focusHeading(currentTarget)
    of.markAllRead()
  }
  return (
    <Button kind={kind} Icon={Check} onClick={handleClick}>
      {words.readAll}
    </Button>
  )
}

/** The pressed button goes with what it was for. */
function focusHeading(button: Element): void {
  button.closest('[role=dialog], main')?.querySelector<HTMLElement>('h1, h2')?.focus()
}

type NoteProps = { note: Notification; onOpen: (note: Notification) => void }

export function Note({ note, onOpen }: NoteProps) {
  const { kind, isRead, post, isGone, people, count, commentId, text, time, reason } = note
  const told = {
    names: people.newest.map(({ id, name }) => <bdi key={id}>{name}</bdi>),
    others: people.total - people.newest.length,
    count,
    isComment: commentId !== '',
    post: isGone || !post ? undefined : <bdi>{post.title}</bdi>,
  }
  const hidden = note.hiddenBy && words.hiddenBy[note.hiddenBy]
  const inside = (
    <>
      <NoteFace note={note} />
      <span>
        {words.sentences[kind](told)}
        {text && (
          <q className="clamp" dir="auto">
            {text}
          </q>
        )}
        <small>
          <NoteTime time={time} />
          {hidden && `, ${hidden}`}
          {reason && <bdi>: {reasons[reason] ?? reason}</bdi>}
        </small>
      </span>
      <span className={isRead ? undefined : 'note__new'}>
        {!isRead && <span className="visually-hidden">{words.isNew}</span>}
      </span>
    </>
  )
  const to = addressOf(note)
  if (!to) return <div className="note">{inside}</div>
  return (
    <Link
      className="note"
      to={to}
      onClick={() => onOpen(note)}
      onAuxClick={({ button }) => button === MIDDLE_BUTTON && onOpen(note)}
    >
      {inside}
    </Link>
  )
}

const reasons: Record<string, string> = texts.reports.reasons

/** The server knows neither time zone nor day of the reader. */
function NoteTime({ time }: { time: string }) {
  const isHydrated = useIsHydrated()
  if (!isHydrated) return <LocalDate time={time} hasTime />
  return <time dateTime={time}>{dayTimeText(time, { isInside: true })}</time>
}

function addressOf({ kind, post, commentId }: Notification): To | undefined {
  if (kind === 'invitationAccepted') return '/admin/people'
  if (kind === 'reported' || kind === 'approvalNeeded') return '/admin/queue'
  if (!post) return undefined
  const pathname = `/post/${post.$id}`
  return commentId
    ? { pathname, search: `?comment=${commentId}`, hash: `#${commentElementId(commentId)}` }
    : pathname
}

const SIGNS: Partial<Record<NotificationKind, { Icon: LucideIcon; look?: string }>> = {
  like: { Icon: Heart, look: 'note__face--like' },
  reported: { Icon: Flag, look: 'note__face--flag' },
  approvalNeeded: { Icon: Flag, look: 'note__face--flag' },
  commentHidden: { Icon: EyeOff },
  postHidden: { Icon: EyeOff },
  commentApproved: { Icon: Check },
  reportReviewed: { Icon: Check },
  invitationAccepted: { Icon: UserRoundPlus },
}

function NoteFace({ note: { kind, people } }: { note: Notification }) {
  const sign = SIGNS[kind]
  const [first] = people.newest
  if (sign || !first) return <Face {...(sign ?? { Icon: UserRoundPlus })} />
  return (
    <AuthorAvatar
      name={first.name}
      avatarId={first.avatar || undefined}
      sidePixels={FACE_PIXELS}
      isEager
    />
  )
}

function Face({ Icon, look = '' }: { Icon: LucideIcon; look?: string }) {
  return (
    <span className={`avatar note__face ${look}`.trimEnd()} aria-hidden="true">
      <Icon className="icon" />
    </span>
  )
}
