// The scheduled posts on the dashboard, the soonest first, each with a link to its drawer and a
// button that ends the schedule.
import { CalendarClock, X } from 'lucide-react'
import { useRef } from 'react'
import { useApi } from '../api/client.ts'
import { LocalDate } from '../dates/dates.tsx'
import { PostThumbnail, useRowFocus } from '../lists/list-parts.tsx'
import { texts } from '../locales/texts.ts'
import { PUBLISH_HASH } from '../posts/post-paths.ts'
import type { DraftSummary } from '../posts/posts-api.ts'
import { cancelSchedule } from '../publishing/schedule-api.ts'
import { upcomingTime } from '../publishing/shown-time.ts'
import { ButtonLink, IconButton } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import type { useDrafts } from './use-drafts.ts'

const words = texts.scheduled

export function ScheduledList({ drafts }: { drafts: ReturnType<typeof useDrafts> }) {
  const { scheduled, putScheduled } = drafts
  const api = useApi()
  const toasts = useToasts()
  const title = useRef<HTMLHeadingElement>(null)
  const { list, focusAfter } = useRowFocus(title)
  function cancel(post: DraftSummary) {
    const onChanged = ({ status, publishedAt, $updatedAt }: DraftSummary) =>
      putScheduled({ ...post, status, publishedAt, $updatedAt })
    void focusAfter(post.$id, () => cancelSchedule(post, { api, toasts, onChanged }))
  }
  if (scheduled.length === 0) return null
  return (
    <section className="dashboard__scheduled" aria-labelledby="scheduled">
      <div className="apart section-header">
        <h2 id="scheduled" ref={title} tabIndex={-1}>
          {words.title}
        </h2>
      </div>
      <ul className="box box-list lines post-list post-list--actions drafts" ref={list}>
        {scheduled.map((post) => (
          <ScheduledItem key={post.$id} post={post} onCancel={() => cancel(post)} />
        ))}
      </ul>
    </section>
  )
}

function ScheduledItem({ post, onCancel }: { post: DraftSummary; onCancel: () => void }) {
  const { $id, title, publishedAt, publishProblem } = post
  const path = `/edit-post/${$id}`
  const { reading } = useApi().settings
  const clock = <ScheduledTime time={publishedAt ?? ''} />
  return (
    <li className="hoverable" data-row={$id}>
      <PostThumbnail post={post} />
      <div>
        <h3 dir="auto">
          <Link className="clamp" to={`/post/${$id}`}>
            {title}
          </Link>
        </h3>
        <p className="hint row facts">
          <span className="chip chip--icon chip--time">
            <CalendarClock className="icon icon--small" aria-hidden="true" />
            {words.chip}
          </span>
          {publishProblem ? (
            <span className="is-danger">{words.problems[publishProblem](clock)}</span>
          ) : (
            <span>{words.audiences[reading](clock)}</span>
          )}
        </p>
      </div>
      <div className="row-actions">
        <ButtonLink to={path + PUBLISH_HASH} aria-label={words.changeNamed(title)}>
          {words.change}
        </ButtonLink>
        <IconButton
          label={words.cancelNamed(title)}
          title={words.cancelNamed(title)}
          onClick={onCancel}
          Icon={X}
        />
      </div>
    </li>
  )
}

/** The server knows neither the reader's zone nor which day is tomorrow there. */
function ScheduledTime({ time }: { time: string }) {
  const isHydrated = useIsHydrated()
  return isHydrated ? (
    <bdi>
      <time dateTime={time}>{upcomingTime(time)}</time>
    </bdi>
  ) : (
    <LocalDate time={time} hasTime />
  )
}
