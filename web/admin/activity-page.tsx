// /admin/activity: who did what, day by day.
import { Bot, Download, Lamp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Activity, ActivityPage } from '#contract/operator.ts'
import { useApi } from '../api/client.ts'
import { clockText, LocalDate } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { listActivity } from './admin-api.ts'
import { AdminPage, useAdminData } from './admin-frame.tsx'
import { CursorPages, ListQuery } from './list-parts.tsx'

const words = texts.adminActivity
const AVATAR_PIXELS = 32
const { reading, registration, comments } = texts.adminSettings
const CHOICES: Record<string, Record<string, { name: string }>> = {
  reading: reading.options,
  registration: registration.options,
  comments: comments.options,
}

export function AdminActivityPage() {
  const page = useAdminData<ActivityPage>(listActivity)
  const { client, settings } = useApi()
  const csv = new URL(`${client.config.endpoint}/operator/activity.csv`)
  csv.searchParams.set('project', settings.projectId)
  return (
    <AdminPage title={words.title} lead={words.lead} page={page}>
      {({ list, next }) => (
        <>
          <ListQuery
            label={words.search}
            placeholder={words.searchHint}
            filters={[{ name: 'kind', label: words.kind, choices: words.kinds }]}
          >
            <a className={buttonClass('ghost')} href={csv.pathname + csv.search} download>
              <Download className="icon" aria-hidden="true" />
              {words.csv}
            </a>
          </ListQuery>
          {list.length === 0 && <p>{words.none}</p>}
          <Days list={list} />
          <CursorPages nextCursor={next} firstLabel={words.newest} nextLabel={words.older} />
        </>
      )}
    </AdminPage>
  )
}

/** The server does not know the viewer's time zone: it renders days in UTC. */
function Days({ list }: Pick<ActivityPage, 'list'>) {
  const isHydrated = useIsHydrated()
  const days = Map.groupBy(list, ({ time }) =>
    isHydrated ? new Date(time).toDateString() : time.slice(0, 10),
  )
  return [...days].map(([day, activities]) => (
    <section key={day} aria-labelledby={`day-${activities[0]?.$id}`}>
      <h2 className="day-title" id={`day-${activities[0]?.$id}`}>
        <LocalDate time={activities[0]?.time ?? ''} />
      </h2>
      <ol className="box lines activity">
        {activities.map((activity) => (
          <li key={activity.$id}>
            <time dateTime={activity.time}>
              {isHydrated ? clockText(activity.time) : activity.time.slice(11, 16)}
            </time>
            <ActorAvatar activity={activity} />
            <p>
              <ActivityText activity={activity} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  ))
}

function ActorAvatar({ activity: { actor, actorName, actorAvatar } }: { activity: Activity }) {
  if (actor === 'person')
    return <AuthorAvatar name={actorName} avatarId={actorAvatar} sidePixels={AVATAR_PIXELS} />
  const Icon = actor === 'key' ? Bot : Lamp
  return (
    <span className="avatar" aria-hidden="true">
      <Icon className="icon icon--small" />
    </span>
  )
}

function ActivityText({ activity }: { activity: Activity }) {
  const { actor, actorName, kind, action, subjectType, subjectId, subjectName, details } = activity
  const actorText = actor === 'person' ? <bdi>{actorName}</bdi> : words.actors[actor]
  const name =
    subjectType === 'value'
      ? (Object.entries(words.values).find(([value]) => value === subjectName)?.[1] ?? subjectName)
      : subjectName
  const subject: ReactNode =
    subjectType === 'post' ? (
      <Link className="link" to={`/post/${subjectId}`}>
        <bdi>{name}</bdi>
      </Link>
    ) : (
      <b>
        <bdi>{name}</bdi>
      </b>
    )
  const sentenceOf = Object.entries(words.actions).find(([key]) => key === `${kind} ${action}`)?.[1]
  const facts = Object.entries(words.details).flatMap(([key, textOf]) => {
    const value = details[key]
    const choice = subjectType === 'value' && value && CHOICES[subjectName]?.[value]
    return value ? [textOf(choice ? choice.name : value)] : []
  })
  return (
    <>
      <b>{actorText}</b> {sentenceOf ? sentenceOf(subject) : words.other(subject)}
      {facts.length > 0 && <small dir="auto">{facts.join(', ')}</small>}
    </>
  )
}
