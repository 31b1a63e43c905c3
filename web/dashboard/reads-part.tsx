// How often the viewer's posts are read, on the dashboard; nobody else sees it.
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { DayReads, PostReads, ReadNumbers } from '#contract/reads.ts'
import { texts } from '../locales/texts.ts'
import { useDayText } from '../posts/day-text.tsx'
import { ReadsChart } from './reads-chart.tsx'

/** With fewer it is worth saying that they come slowly. */
const FEW_READS = 10

export function ReadsPart({ reads: { days, posts } }: { reads: ReadNumbers }) {
  const sum = days.reduce((total, { reads }) => total + reads, 0)
  return (
    <>
      <div className="section-header">
        <h2>{texts.reads.title}</h2>
        <span className="subtitle">{texts.reads.span}</span>
      </div>
      <figure className="reads">
        <Sums days={days} sum={sum} />
        <ReadsChart days={days} />
        {posts.length > 0 && <ReadsPerPost posts={posts} />}
        {sum > 0 && <EveryDay days={days} />}
        <figcaption>
          {sum < FEW_READS && `${texts.reads.slow} `}
          {texts.reads.how}{' '}
          <Link className="link" to="/settings">
            {texts.reads.turnOff}
          </Link>
        </figcaption>
      </figure>
    </>
  )
}

function Sums({ days, sum }: { days: DayReads[]; sum: number }) {
  const dayText = useDayText()
  const most = Math.max(...days.map(({ reads }) => reads))
  const mostOn = days.findLast(({ reads }) => reads === most)
  return (
    <p className="reads__sums">
      <span>{texts.reads.sum(<b>{sum}</b>, sum)}</span>
      <span>{texts.reads.ofToday(<b>{days.at(-1)?.reads ?? 0}</b>)}</span>
      {mostOn && most > 1 && <span>{texts.reads.most(dayText(mostOn.day), most)}</span>}
    </p>
  )
}

function ReadsPerPost({ posts }: { posts: PostReads[] }) {
  return (
    <NumberTable
      caption={texts.reads.perPost}
      columns={[texts.reads.post, texts.reads.ofSpan, texts.reads.today]}
      rows={posts.map(({ $id, title, reads, today }) => ({
        key: $id,
        name: (
          <Link className="link" to={`/post/${$id}`} dir="auto">
            {title}
          </Link>
        ),
        numbers: { reads, today },
      }))}
    />
  )
}

/** Newest first. */
function EveryDay({ days }: { days: DayReads[] }) {
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
  /** The first one is that of the names. */
  columns: string[]
  rows: { key: string; name: ReactNode; numbers: Record<string, number> }[]
}

/** Scrolls by itself, with keys too, where letters are so large that the table does not fit. */
function NumberTable({ caption, columns, rows }: NumberTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with keys
    <section className="scroll-x" tabIndex={0} aria-label={caption}>
      <table className="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((name, at) => (
              <th key={name} scope="col" className={at > 0 ? 'table__number' : undefined}>
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
    </section>
  )
}
