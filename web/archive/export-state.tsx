// How far an export is, until when it can be downloaded, or that it failed.
import { Check, Download } from 'lucide-react'
import type { ExportRun } from '#contract/archive.ts'
import { clockText, LocalDate, recentDay } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button.tsx'
import { largeSizeText } from '../ui/large-size.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'

const words = texts.exporting

export function ExportState({ run, name }: { run: ExportRun; name: string }) {
  const { state, progress, sizeBytes, endedAt, expire } = run
  if (state === 'failed') return <p className="export-card__failed">{words.failed}</p>
  if (state === 'done')
    return (
      <p className="export-card__state">
        <Check className="icon icon--small" aria-hidden="true" />
        <span>
          {words.ready(
            <Since time={endedAt} />,
            largeSizeText(sizeBytes),
            <LocalDate time={expire} />,
          )}
        </span>
      </p>
    )
  const { done, total } = progress
  const percent = total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 0
  return (
    <div className="export-card__progress">
      <ProgressBar label={words.createOf(name)} percent={percent} />
      <p>{total > 0 ? words.percent(percent) : words.waiting}</p>
    </div>
  )
}

export function ExportLink({ path, label }: { path: string; label: string }) {
  return (
    <a className={buttonClass('secondary')} href={path} download aria-label={label}>
      <Download className="icon icon--small" aria-hidden="true" />
      {words.download}
    </a>
  )
}

/** The time of day if it was today, else the date. */
function Since({ time }: { time: string }) {
  const isHydrated = useIsHydrated()
  if (!isHydrated || recentDay(time) !== 'today') return <LocalDate time={time} />
  return <time dateTime={time}>{clockText(time)}</time>
}
