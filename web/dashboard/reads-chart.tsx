// The drawing of reads: thirty bars, the last one today, with three rules.
import type { DayReads } from '#contract/reads.ts'
import { texts } from '../locales/texts.ts'
import { useDayText } from '../posts/day-text.tsx'

const LEAST_TOP = 4
/** Tops that can be halved, in each power of ten. */
const STEPS = [1, 2, 4, 8]

export function ReadsChart({ days }: { days: DayReads[] }) {
  const dayText = useDayText()
  const top = topOf(Math.max(...days.map(({ reads }) => reads)))
  const [first, middle] = [days[0], days[Math.floor(days.length / 2)]]
  return (
    <div className="chart" role="img" aria-label={texts.reads.described(describe(days, dayText))}>
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

/** The least round number that no bar is higher than. */
export function topOf(most: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of STEPS) {
      const top = step * power
      if (top >= LEAST_TOP && top >= most) return top
    }
}

function describe(days: DayReads[], dayText: (day: string) => string) {
  const counts = days.map(({ reads }) => reads)
  const most = Math.max(...counts)
  return {
    sum: counts.reduce((sum, reads) => sum + reads, 0),
    least: Math.min(...counts),
    most,
    mostOn: dayText(days.findLast(({ reads }) => reads === most)?.day ?? ''),
    today: counts.at(-1) ?? 0,
  }
}
