// The part of the dashboard that shows how often the viewer's posts are read. Only the author sees
// it.
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DayReads, PostReads, ReadNumbers } from '#contract/reads.ts'
import { useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { formatDate, useDateLanguage } from '../head/date-language.ts'
import { useLoaded } from '../lists/use-loaded.ts'
import { texts } from '../locales/texts.ts'
import { Link } from '../ui/link.tsx'
import { ScrollRegion } from '../ui/scroll-region.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { findReadNumbers, type InitialDashboard } from './dashboard-loader.ts'

/** If there are fewer reads, the page says that the first ones come slowly. */
const FEW_READS = 10

export function ReadsPart({ reads: { days, posts } }: { reads: ReadNumbers }) {
  const sum = days.reduce((total, { reads }) => total + reads, 0)
  return (
    <>
      <div className="apart section-header">
        <h2>{texts.reads.title}</h2>
        <span className="quiet subtitle">{texts.reads.span}</span>
      </div>
      <figure className="box stack reads">
        <Sums days={days} sum={sum} />
        <ReadsChart days={days} />
        {posts.length > 0 && <ReadsPerPost posts={posts} />}
        {sum > 0 && <ReadsPerDay days={days} />}
        <figcaption className="quiet">
          {sum < FEW_READS && `${texts.reads.slow} `}
          {texts.reads.how}{' '}
          <Link className="link" to="/settings/writing">
            {texts.reads.turnOff}
          </Link>
        </figcaption>
      </figure>
    </>
  )
}

function Sums({ days, sum }: { days: DayReads[]; sum: number }) {
  const dayText = useDayText()
  const peak = Math.max(...days.map(({ reads }) => reads))
  const peakDay = days.findLast(({ reads }) => reads === peak)
  return (
    <p className="quiet row reads__sums">
      <span>{texts.reads.sum(<b>{sum}</b>, sum)}</span>
      <span>{texts.reads.todaySum(<b>{days.at(-1)?.reads ?? 0}</b>)}</span>
      {peakDay && peak > 1 && <span>{texts.reads.peak(dayText(peakDay.day), peak)}</span>}
    </p>
  )
}

function ReadsPerPost({ posts }: { posts: PostReads[] }) {
  return (
    <NumberTable
      caption={texts.reads.perPost}
      columns={[texts.reads.post, texts.reads.spanColumn, texts.reads.today]}
      rows={posts.map(({ $id, title, reads, today }) => ({
        key: $id,
        name: (
          <Link className="target link" to={`/post/${$id}`} dir="auto">
            {title}
          </Link>
        ),
        numbers: { reads, today },
      }))}
    />
  )
}

/** Lists the days from newest to oldest. */
function ReadsPerDay({ days }: { days: DayReads[] }) {
  const dayText = useDayText()
  return (
    <details className="more-way">
      <summary>
        <ChevronRight className="icon icon--small" aria-hidden="true" />
        {texts.reads.everyDay}
      </summary>
      <NumberTable
        caption={texts.reads.everyDayTable}
        columns={[texts.reads.day, texts.reads.count]}
        rows={days.toReversed().map(({ day, reads }) => ({
          key: day,
          name: dayText(day, { hasYear: true }),
          numbers: { reads },
        }))}
      />
    </details>
  )
}

type NumberTableProps = {
  caption: string
  /** The first column has the names. */
  columns: string[]
  rows: { key: string; name: ReactNode; numbers: Record<string, number> }[]
}

/** Scrolls if the text is so large that the table does not fit. */
function NumberTable({ caption, columns, rows }: NumberTableProps) {
  return (
    <ScrollRegion className="scroll-x" label={caption}>
      <table className="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((name, index) => (
              <th key={name} scope="col" className={index > 0 ? 'table__number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, numbers }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {Object.entries(numbers).map(([column, value]) => (
                <td key={column} className="table__number">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

const MIN_TOP = 4
/** The possible first digits of the chart's top value: half of it is a round number, too. */
const TOP_DIGITS = [1, 2, 4, 8]

/** Thirty bars, the last one for today, and three horizontal lines. */
function ReadsChart({ days }: { days: DayReads[] }) {
  const dayText = useDayText()
  const top = topOf(Math.max(...days.map(({ reads }) => reads)))
  const first = days[0]
  const middle = days[Math.floor(days.length / 2)]
  return (
    <div className="chart" role="img" aria-label={texts.reads.chartLabel(describe(days, dayText))}>
      <div className="chart__scale">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{value}</span>
        ))}
      </div>
      <div className="chart__bars">
        {days.map(({ day, reads }) => (
          <span key={day} style={{ blockSize: `${(reads / top) * 100}%` }} />
        ))}
      </div>
      <div className="chart__days">
        <span>{first && dayText(first.day)}</span>
        <span>{middle && dayText(middle.day)}</span>
        <span>{texts.reads.today}</span>
      </div>
    </div>
  )
}

/** The smallest round number that is at least as high as each bar. */
function topOf(peak: number): number {
  for (let power = 1; ; power *= 10)
    for (const digit of TOP_DIGITS) {
      const top = digit * power
      if (top >= MIN_TOP && top >= peak) return top
    }
}

function describe(days: DayReads[], dayText: (day: string) => string) {
  const counts = days.map(({ reads }) => reads)
  const max = Math.max(...counts)
  return {
    sum: counts.reduce((sum, reads) => sum + reads, 0),
    min: Math.min(...counts),
    max,
    maxDay: dayText(days.findLast(({ reads }) => reads === max)?.day ?? ''),
    today: counts.at(-1) ?? 0,
  }
}

/** @returns undefined until the numbers are loaded, and when nothing is counted */
export function useReads(userId: string): ReadNumbers | undefined {
  const api = useApi()
  const initial = useInitialData<InitialDashboard>(userId)
  const load = async () => ({ reads: await findReadNumbers(api) })
  return useLoaded(userId, load, initial?.ok ? { reads: initial.value.reads } : undefined).value
    ?.reads
}

const DAY_FORMAT: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' }
const DAY_WITH_YEAR_FORMAT: Intl.DateTimeFormatOptions = { ...DAY_FORMAT, year: 'numeric' }

/**
 * The server counts reads by UTC days. They are the same for every reader, but are written in the
 * reader's own language.
 *
 * @returns a function that formats a day like `2025-11-23`, with or without its year
 */
function useDayText(): (day: string, options?: { hasYear: boolean }) => string {
  const isHydrated = useIsHydrated()
  const language = useDateLanguage()
  return (day, { hasYear } = { hasYear: false }) => {
    const date = new Date(day)
    if (isHydrated) return formatDate(date, hasYear ? DAY_WITH_YEAR_FORMAT : DAY_FORMAT, language)
    const dayOfMonth = date.getUTCDate()
    const month = date.getUTCMonth()
    return hasYear
      ? texts.date(dayOfMonth, month, date.getUTCFullYear())
      : texts.dayOfMonth(dayOfMonth, month)
  }
}
