// /notifications: all that is kept, day by day.
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
import { Note, NotificationList, ReadAllButton } from './notification-list.tsx'
import { askedOf, FILTERS, type ShownPage } from './notifications-api.ts'
import { type Notifications, useNotifications } from './use-notifications.ts'
import './notifications-sheets.css'

const words = texts.bell

export function NotificationsPage() {
  const { search } = useLocation()
  const { userData } = useViewer()
  const navigate = useNavigate()
  const asked = askedOf(search)
  // What is pressed is chosen at once, the address follows.
  const [filter, setFilter] = useOptimistic(asked.filter)
  const of = useNotifications(asked, useInitialData<ShownPage>(userData?.$id))
  const { page } = of
  const unread = page?.unread ?? 0
  return (
    <div className="narrow-page">
      <PageTitle screen={words.title} />
      <div className="row page-intro">
        <h1 tabIndex={-1}>{words.title}</h1>
        <ReadAllButton of={of} kind="secondary" />
      </div>
      <Segmented
        isBare
        legend={words.filter}
        name="filter"
        options={FILTERS.map((value) => ({ value, name: words.filters[value](unread) }))}
        now={filter}
        onChoose={(chosen) =>
          startTransition(async () => {
            setFilter(chosen)
            await navigate({ search: addressFor({ filter: chosen }) }, { preventScrollReset: true })
          })
        }
      />
      <NotificationList of={of}>
        <Days of={of} list={page?.list ?? []} />
      </NotificationList>
      <Pages next={page?.next ?? ''} filter={asked.filter} isFirst={!asked.cursor} />
    </div>
  )
}

/** The server knows no time zone: its days are those of UTC. */
function Days({ of, list }: { of: Notifications; list: Notification[] }) {
  const isHydrated = useIsHydrated()
  const days = Map.groupBy(list, ({ time }) => (isHydrated ? dayText(time) : time.slice(0, 10)))
  return [...days].map(([day, lines]) => (
    <section key={day} aria-labelledby={`day-${lines[0]?.$id}`}>
      <h2 className="day-title" id={`day-${lines[0]?.$id}`}>
        {isHydrated ? day : <LocalDate time={lines[0]?.time ?? ''} />}
      </h2>
      <ul className="box lines">
        {lines.map((note) => (
          <li className="note-row" key={note.$id}>
            <Note note={note} onOpen={of.markRead} />
            <NoteMenu note={note} of={of} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

const MUTABLE: readonly string[] = ['comment', 'reply', 'like']

function NoteMenu({ note: { kind, post }, of }: { note: Notification; of: Notifications }) {
  if (!post || !MUTABLE.includes(kind)) return null
  const isMuted = of.page?.muted?.includes(post.$id) ?? false
  return (
    <RowMenu label={words.more(post.title)}>
      <MenuItem Icon={isMuted ? Bell : BellOff} onPress={() => void of.mute(post, !isMuted)}>
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
      range={words.kept}
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
