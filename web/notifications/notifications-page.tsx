// /notifications: all stored notifications, grouped by day.
import { Bell, BellOff } from 'lucide-react'
import { startTransition, useOptimistic } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Notification } from '#contract/notifications.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useInitialData } from '../api/initial-data.ts'
import { dateText, LocalDate, recentDay } from '../dates/dates.tsx'
import { PageNav } from '../lists/page-links.tsx'
import { RowMenu } from '../lists/row-menu.tsx'
import { texts } from '../locales/texts.ts'
import { MenuItem } from '../ui/menu.tsx'
import { PageTitle } from '../ui/screens.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { NotificationItem, NotificationList, ReadAllButton } from './notification-list.tsx'
import { FILTERS, readNotificationsQuery, type ShownPage } from './notifications-api.ts'
import { type Notifications, useNotifications } from './use-notifications.ts'
import './notifications-sheets.css'

const words = texts.bell

export function NotificationsPage() {
  const { search } = useLocation()
  const { userData } = useViewer()
  const navigate = useNavigate()
  const query = readNotificationsQuery(search)
  // The pressed filter is shown at once; the address changes later.
  const [filter, setFilter] = useOptimistic(query.filter)
  const notifications = useNotifications(query, useInitialData<ShownPage>(userData?.$id))
  const { page } = notifications
  const unread = page?.unread ?? 0
  return (
    <div className="narrow-page">
      <PageTitle screen={words.title} />
      <div className="row page-intro">
        <h1 tabIndex={-1}>{words.title}</h1>
        <ReadAllButton notifications={notifications} kind="secondary" />
      </div>
      <Segmented
        isBare
        legend={words.filter}
        name="filter"
        options={FILTERS.map((value) => ({ value, name: words.filters[value](unread) }))}
        selected={filter}
        onChoose={(chosen) =>
          startTransition(async () => {
            setFilter(chosen)
            await navigate({ search: addressFor({ filter: chosen }) }, { preventScrollReset: true })
          })
        }
      />
      <NotificationList notifications={notifications}>
        <Days notifications={notifications} list={page?.list ?? []} />
      </NotificationList>
      <Pages next={page?.next ?? ''} filter={query.filter} isFirst={!query.cursor} />
    </div>
  )
}

type DaysProps = { notifications: Notifications; list: Notification[] }

/** The server does not know the viewer's time zone: it renders days in UTC. */
function Days({ notifications, list }: DaysProps) {
  const isHydrated = useIsHydrated()
  const days = Map.groupBy(list, ({ time }) => (isHydrated ? dayText(time) : time.slice(0, 10)))
  return [...days].map(([day, notificationsOfDay]) => (
    <section key={day} aria-labelledby={`day-${notificationsOfDay[0]?.$id}`}>
      <h2 className="day-title" id={`day-${notificationsOfDay[0]?.$id}`}>
        {isHydrated ? day : <LocalDate time={notificationsOfDay[0]?.time ?? ''} />}
      </h2>
      <ul className="box lines">
        {notificationsOfDay.map((notification) => (
          <li className="note-row" key={notification.$id}>
            <NotificationItem notification={notification} onOpen={notifications.markRead} />
            <NotificationMenu notification={notification} notifications={notifications} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

/** The kinds of notifications whose post can be muted. */
const MUTABLE_KINDS: readonly string[] = ['comment', 'reply', 'like']

type NotificationMenuProps = { notification: Notification; notifications: Notifications }

function NotificationMenu({ notification, notifications }: NotificationMenuProps) {
  const { kind, post } = notification
  if (!post || !MUTABLE_KINDS.includes(kind)) return null
  const isMuted = notifications.page?.muted?.includes(post.$id) ?? false
  return (
    <RowMenu label={words.more(post.title)}>
      <MenuItem
        Icon={isMuted ? Bell : BellOff}
        onPress={() => void notifications.mute(post, !isMuted)}
      >
        {isMuted ? words.unmute : words.mute}
      </MenuItem>
    </RowMenu>
  )
}

type PagesProps = { next: string; filter: string; isFirst: boolean }

function Pages({ next, filter, isFirst }: PagesProps) {
  return (
    <PageNav
      previous={isFirst ? undefined : { to: addressFor({ filter }), text: words.newest }}
      next={next ? { to: addressFor({ filter, cursor: next }), text: words.older } : undefined}
      range={words.retention}
    />
  )
}

function addressFor({ filter, cursor = '' }: { filter: string; cursor?: string }): string {
  return `?${new URLSearchParams({ filter, ...(cursor && { cursor }) })}`
}

function dayText(isoTime: string): string {
  const day = recentDay(isoTime)
  return day ? words[day] : dateText(isoTime)
}
