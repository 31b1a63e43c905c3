// Parts of the pages about the server: a day with its time, a size, and a command to copy.
import { Copy } from 'lucide-react'
import { clockText, LocalDate, recentDay } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { useCopying } from '../ui/copying.ts'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'

const words = texts.adminServer

/** `heading`: "Today, 03:00"; `fact`: "today, 03:00"; `sentence`: "today at 03:00" */
type DayTimeForm = 'heading' | 'fact' | 'sentence'

export function DayTime({ time, form }: { time: string; form: DayTimeForm }) {
  const isHydrated = useIsHydrated()
  // The server does not know the viewer's time zone.
  const day = isHydrated ? recentDay(time) : undefined
  if (!day) return <LocalDate time={time} hasTime />
  return <time dateTime={time}>{words.days[day][form](clockText(time))}</time>
}

/** A day with its time as plain text, for the names of buttons. */
export function useDayTimeText(time: string): string {
  const isHydrated = useIsHydrated()
  const day = isHydrated ? recentDay(time) : undefined
  return day ? words.days[day].heading(clockText(time)) : time.slice(0, 16).replace('T', ', ')
}

export function CommandLine({ command }: { command: string }) {
  const copyText = useCopying()
  return (
    <div className="command">
      <code>{command}</code>
      <Button kind="ghost" Icon={Copy} onClick={() => void copyText(command, words.copied)}>
        {texts.adminRows.copy}
      </Button>
    </div>
  )
}
