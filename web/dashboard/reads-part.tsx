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
    <ScrollBox label={texts.reads.perPost}>
      <table className="table">
        <caption className="visually-hidden">{texts.reads.perPost}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.reads.post}</th>
            <th scope="col" className="table__number">
              {texts.reads.ofSpan}
            </th>
            <th scope="col" className="table__number">
              {texts.reads.today}
            </th>
          </tr>
        </thead>
        <tbody>
          {posts.map(({ $id, title, reads, today }) => (
            <tr key={$id}>
              <th scope="row">
                <Link className="link" to={`/post/${$id}`} dir="auto">
                  {title}
                </Link>
              </th>
              <td className="table__number">{reads}</td>
              <td className="table__number">{today}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
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
      <ScrollBox label={texts.reads.everyDayTable}>
        <table className="table">
          <caption className="visually-hidden">{texts.reads.everyDayTable}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.reads.day}</th>
              <th scope="col" className="table__number">
                {texts.reads.count}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, reads }) => (
              <tr key={day}>
                <th scope="row">{dayText(day, { hasYear: true })}</th>
                <td className="table__number">{reads}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </details>
  )
}

/** Scrolls by itself, with keys too, where letters are so large that the table does not fit. */
function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with keys
    <section className="scroll-x" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
