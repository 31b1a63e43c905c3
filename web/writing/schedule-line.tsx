// The line below the status: when the scheduled post turns active, why it did not, or that it has
// just done so while the form is open.
import { CalendarClock, CircleCheck } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useServerTime } from '../api/use-server-time.ts'
import { timeOfDay } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { getPost, scheduledTimeOf } from '../posts/posts-api.ts'
import { cancelSchedule } from '../publishing/schedule-api.ts'
import { shortTime } from '../publishing/shown-time.ts'
import { Alert } from '../ui/alert.tsx'
import type { OpenForm } from './open-form.ts'
import type { FormProps } from './use-post-form.ts'

const words = texts.scheduleLine
const MINUTE_MS = 60_000
/** From then on the line counts the minutes. */
const SOON_MS = 5 * MINUTE_MS
const TICK_MS = 3000

export function ScheduleLine({ form, state }: FormProps) {
  const { post } = state
  const nowMs = useServerTime(TICK_MS)
  const publishedAt = post && scheduledTimeOf(post)
  const dueMs = publishedAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(publishedAt)
  useDuePost(form, dueMs <= nowMs ? nowMs : undefined)
  if (!post) return null
  if (publishedAt === undefined)
    return (
      <p className="quiet saved-line" role="status">
        <CircleCheck className="icon icon--small" aria-hidden="true" />
        <span>{words.published(timeOfDay(Date.parse(post.publishedAt ?? post.$updatedAt)))}</span>
      </p>
    )
  if (post.publishProblem)
    return (
      <Alert kind="error">
        {words.problems[post.publishProblem](timeOfDay(dueMs))}{' '}
        {words.links(...linksOf(form, publishedAt))}
      </Alert>
    )
  const minutes = Math.max(1, Math.ceil((dueMs - nowMs) / MINUTE_MS))
  const { draftStatus } = state
  const savedMs = draftStatus?.kind === 'saved' ? draftStatus.atMs : Date.parse(post.$updatedAt)
  const isSoon = dueMs - nowMs <= SOON_MS
  return (
    <p className={isSoon ? 'quiet saved-line saved-line--off' : 'quiet saved-line'}>
      <CalendarClock className="icon icon--small" aria-hidden="true" />
      <span>
        {isSoon ? words.due(minutes, timeOfDay(savedMs)) : words.pending(shortTime(publishedAt))}{' '}
        {words.links(...linksOf(form, publishedAt))}
      </span>
    </p>
  )
}

function linksOf(form: OpenForm, publishedAt: string) {
  return [
    <button
      key="change"
      className="link"
      type="button"
      aria-haspopup="dialog"
      onClick={() => form.dispatch({ type: 'publishOpened' })}
    >
      {words.change}
    </button>,
    <button
      key="cancel"
      className="link"
      type="button"
      onClick={() => void cancel(form, publishedAt)}
    >
      {words.cancel}
    </button>,
  ] as const
}

/** Ends the schedule. The text of the form stays as it is, also if it is not saved yet. */
async function cancel(form: OpenForm, publishedAt: string): Promise<void> {
  const { api, toasts, autosave, getState, dispatch } = form
  const { post } = getState()
  if (!post) return
  await autosave.pause()
  const scheduled = { $id: post.$id, title: post.title, publishedAt }
  await cancelSchedule(scheduled, {
    api,
    toasts,
    onChanged: (stored) => {
      const current = getState().post
      if (!current) return
      if (stored.status === 'active')
        return dispatch({
          type: 'publishedMeanwhile',
          post: { ...stored, ownImage: current.ownImage ?? '' },
        })
      // The text in the answer may be that of another window.
      const { publishProblem: _past, ...rest } = current
      const { publishedAt, $updatedAt } = stored
      dispatch({ type: 'basedOnNewer', post: { ...rest, publishedAt, $updatedAt } })
    },
  })
  autosave.resume()
  // The line has gone, and the button with it.
  document.getElementById('status')?.focus()
}

/** Once the post is due, finds out whether it was published. @param askedAtMs asks anew */
function useDuePost({ api, getState, dispatch }: OpenForm, askedAtMs: number | undefined): void {
  const check = useEffectEvent(async () => {
    const { post } = getState()
    if (!post || post.status === 'active') return
    const stored = await getPost(api, post.$id)
    if (!stored.ok || getState().post !== post) return
    const { status, publishProblem } = stored.value
    if (status === 'active') dispatch({ type: 'publishedMeanwhile', post: stored.value })
    else if (publishProblem && publishProblem !== post.publishProblem)
      dispatch({ type: 'basedOnNewer', post: { ...post, publishProblem } })
  })
  useEffect(() => {
    if (askedAtMs !== undefined) void check()
  }, [askedAtMs])
}
