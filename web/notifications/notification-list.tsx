// A list of notifications, most of them links, with its loading, empty and failed states.

import {
  BellOff,
  CalendarX2,
  Check,
  EyeOff,
  Flag,
  Heart,
  type LucideIcon,
  Package,
  UserRoundPlus,
} from 'lucide-react'
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
const AVATAR_PIXELS = 40
const MIDDLE_BUTTON = 1

type NotificationListProps = { notifications: Notifications; children: ReactNode }

/** @param props.children the rows of the list */
export function NotificationList({ notifications, children }: NotificationListProps) {
  const { page, hasFailed, newCount } = notifications
  const isOnline = useIsOnline()
  const text = words.newCount(newCount)
  return (
    <>
      {page && !isOnline && (
        <p className="quiet notes__note" role="status">
          {words.offline(timeOfDay(notifications.loadedAtMs))}
        </p>
      )}
      <p className="visually-hidden" role="status">
        {newCount > 0 && text}
      </p>
      {newCount > 0 && (
        <Button
          className="btn--pill notes__note"
          onClick={({ currentTarget }) => {
            focusHeading(currentTarget)
            notifications.showNew()
          }}
        >
          {words.show(text)}
        </Button>
      )}
      {!page && !hasFailed && <LoadingText>{words.loading}</LoadingText>}
      {hasFailed && (
        <div className="notes__note">
          <Alert kind="error">{words.failed}</Alert>
          <Button onClick={notifications.retry}>{texts.actions.tryAgain}</Button>
        </div>
      )}
      {page?.list.length === 0 && (
        <div className="notes__empty">
          <IconAvatar Icon={BellOff} />
          <b>{words.empty}</b>
          <span className="quiet">{words.emptyHint}</span>
        </div>
      )}
      {children}
    </>
  )
}

type ReadAllButtonProps = { notifications: Notifications; kind: ButtonKind }

export function ReadAllButton({ notifications, kind }: ReadAllButtonProps) {
  if (!notifications.page?.unread) return null
  function handleClick({ currentTarget }: MouseEvent) {
    focusHeading(currentTarget)
    notifications.markAllRead()
  }
  return (
    <Button kind={kind} Icon={Check} onClick={handleClick}>
      {words.readAll}
    </Button>
  )
}

/** Moves the focus away from a button that disappears when it is pressed. */
function focusHeading(button: Element): void {
  button.closest('[role=dialog], main')?.querySelector<HTMLElement>('h1, h2')?.focus()
}

type NotificationItemProps = {
  notification: Notification
  onOpen: (notification: Notification) => void
}

export function NotificationItem({ notification, onOpen }: NotificationItemProps) {
  const { kind, isRead, post, isGone, people, count, commentId, text, time, reason } = notification
  const parts = {
    names: people.newest.map(({ id, name }) => <bdi key={id}>{name}</bdi>),
    others: people.total - people.newest.length,
    count,
    isComment: commentId !== '',
    reason,
    post: isGone || !post ? undefined : <bdi>{post.title}</bdi>,
  }
  const { hiddenBy } = notification
  const hiddenByText = hiddenBy && words.hiddenBy[hiddenBy]
  const content = (
    <>
      <NotificationAvatar notification={notification} />
      <span>
        {words.sentences[kind](parts)}
        {text && (
          <q className="clamp" dir="auto">
            {text}
          </q>
        )}
        <small>
          <NotificationTime time={time} />
          {hiddenByText && `, ${hiddenByText}`}
          {reason && kind !== 'archive' && <bdi>: {REASON_TEXTS[reason] ?? reason}</bdi>}
        </small>
      </span>
      <span className={isRead ? undefined : 'note__new'}>
        {!isRead && <span className="visually-hidden">{words.isNew}</span>}
      </span>
    </>
  )
  const address = addressOf(notification)
  if (!address) return <div className="note">{content}</div>
  return (
    <Link
      className="note"
      to={address}
      onClick={() => onOpen(notification)}
      onAuxClick={({ button }) => button === MIDDLE_BUTTON && onOpen(notification)}
    >
      {content}
    </Link>
  )
}

const REASON_TEXTS: Record<string, string> = { ...texts.reports.reasons, ...words.problems }

/**
 * The server renders a full date, because it knows neither the reader's time zone nor their current
 * day.
 */
function NotificationTime({ time }: { time: string }) {
  const isHydrated = useIsHydrated()
  if (!isHydrated) return <LocalDate time={time} hasTime />
  return <time dateTime={time}>{dayTimeText(time, { isMidSentence: true })}</time>
}

function addressOf({ kind, post, commentId, reason }: Notification): To | undefined {
  if (kind === 'archive') return reason.startsWith('blog') ? '/admin/import' : '/settings/data'
  if (kind === 'invitationAccepted') return '/admin/people'
  if (kind === 'reported' || kind === 'approvalNeeded') return '/admin/queue'
  if (!post) return undefined
  if (kind === 'publishFailed') return `/edit-post/${post.$id}`
  const pathname = `/post/${post.$id}`
  return commentId
    ? { pathname, search: `?comment=${commentId}`, hash: `#${commentElementId(commentId)}` }
    : pathname
}

const ICONS: Partial<Record<NotificationKind, { Icon: LucideIcon; className?: string }>> = {
  like: { Icon: Heart, className: 'note__face--like' },
  reported: { Icon: Flag, className: 'note__face--flag' },
  approvalNeeded: { Icon: Flag, className: 'note__face--flag' },
  commentHidden: { Icon: EyeOff },
  postHidden: { Icon: EyeOff },
  publishFailed: { Icon: CalendarX2 },
  archive: { Icon: Package },
  commentApproved: { Icon: Check },
  reportReviewed: { Icon: Check },
  invitationAccepted: { Icon: UserRoundPlus },
}

/** An icon for the kind of the notification, or the avatar of the newest person. */
function NotificationAvatar({ notification: { kind, people } }: { notification: Notification }) {
  const icon = ICONS[kind]
  const [newest] = people.newest
  if (icon || !newest) return <IconAvatar {...(icon ?? { Icon: UserRoundPlus })} />
  return (
    <AuthorAvatar
      name={newest.name}
      avatarId={newest.avatar || undefined}
      sidePixels={AVATAR_PIXELS}
      isEager
    />
  )
}

function IconAvatar({ Icon, className = '' }: { Icon: LucideIcon; className?: string }) {
  return (
    <span className={`avatar note__face ${className}`.trimEnd()} aria-hidden="true">
      <Icon className="icon" />
    </span>
  )
}
