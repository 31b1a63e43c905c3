// The day and the time at which a post turns active, in the writer's time zone.
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { useServerTime } from '../api/use-server-time.ts'
import { texts } from '../locales/texts.ts'
import { InputField } from '../ui/field.tsx'
import { instantOf, type LocalTime, timeUntil, zoneOf } from './local-time.ts'

const { when } = texts.publishTime
const TICK_MS = 20_000

export function WhenFields({
  time,
  onChange,
}: {
  time: LocalTime
  onChange: (time: LocalTime) => void
}) {
  const hintId = useId()
  const now = new Date(useServerTime(TICK_MS))
  const chosen = instantOf(time)
  const isPast = chosen && chosen.instant <= now
  const zone = chosen && when.zone(zoneOf(chosen.instant))
  const field = (name: keyof LocalTime, type: string) => (
    <InputField
      label={when[name]}
      type={type}
      required
      value={time[name]}
      aria-describedby={hintId}
      onChange={({ currentTarget }) => onChange({ ...time, [name]: currentTarget.value })}
    />
  )
  return (
    <div className="stack publish-when">
      <div className="publish-when__fields">
        {field('day', 'date')}
        {field('clock', 'time')}
      </div>
      <div className="hint" id={hintId}>
        {zone} {chosen && !isPast && when.until(timeUntil(chosen.instant, now))}
      </div>
      <div className="unless-empty" role="status">
        {isPast && <TimeNote>{when.past}</TimeNote>}
        {chosen?.movedTo && <TimeNote>{when.skipped(time.clock, chosen.movedTo)}</TimeNote>}
        {chosen?.isRepeated && <TimeNote>{when.repeated(time.clock)}</TimeNote>}
      </div>
    </div>
  )
}

function TimeNote({ children }: { children: string }) {
  return (
    <p className="field-error">
      <TriangleAlert className="icon icon--small" aria-hidden="true" />
      <span>{children}</span>
    </p>
  )
}
