// The third step of an import: how far it is, and the buttons that pause it, or stop and undo it.
import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import type { ImportCheck, ImportRun } from '#contract/archive.ts'
import { useProgressAnnouncements } from '../files/upload-bar.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, Spinner } from '../ui/button.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { UndoButton } from './import-buttons.tsx'
import { countsWith } from './import-choices.ts'
import { NumberTable } from './number-table.tsx'
import { type Sample, secondsLeft } from './time-left.ts'
import type { Reading } from './use-import-runs.ts'
import type { Imports } from './use-imports.ts'

const words = texts.importing

type RunProps = { imports: Imports; run: ImportRun }

export function RunningStep({ imports, run }: RunProps) {
  const { pending } = imports
  const isPaused = run.state === 'paused'
  return (
    <>
      {run.problem && (
        <Alert kind="warn">
          <span lang="en">{run.problem}</span>
        </Alert>
      )}
      <ImportProgressPanel run={run} reading={imports.reading} />
      {run.check && <Imported run={run} check={run.check} />}
      <div className="row">
        {isPaused ? (
          <Button
            kind="primary"
            Icon={Play}
            isBusy={pending === 'resume'}
            onClick={() => void imports.act('resume')}
          >
            {words.continue}
          </Button>
        ) : (
          <Button
            Icon={Pause}
            isBusy={pending === 'pause'}
            onClick={() => void imports.act('pause')}
          >
            {words.pause}
          </Button>
        )}
        <UndoButton imports={imports} label={words.stop} question={words.stopping} />
      </div>
    </>
  )
}

type ProgressPanelProps = { run: ImportRun; reading: Reading }

/** How far the server is, announced at each quarter. */
export function ImportProgressPanel({ run, reading }: ProgressPanelProps) {
  const { state, progress } = run
  const { phase, done, total } = progress
  const label = words.phases[hasReported(run) ? phase : phaseOf(run)]
  const isCounted = hasReported(run) && total > 0
  const percent = isCounted ? Math.min(100, Math.floor((100 * done) / total)) : 0
  useProgressAnnouncements(label, percent)
  const isPaused = state === 'paused'
  return (
    <div className="archive-progress">
      <p className="row">
        {!isPaused && <Spinner />}
        <span>{isCounted && phase !== 'read' ? words.progress(phase, done, total) : label}</span>
      </p>
      <ProgressBar label={label} percent={percent} />
      <p className="quiet archive-progress__more">
        <ProgressDetail run={run} reading={reading} />
      </p>
    </div>
  )
}

/** An import that is being undone has the progress of the import at first. */
function hasReported({ state, progress: { phase } }: ImportRun): boolean {
  return phase !== 'upload' && (state !== 'undoing' || phase === 'undo')
}

/** What the server works on, before it has said so itself. */
function phaseOf({ state }: ImportRun) {
  if (state === 'checking') return 'read'
  return state === 'undoing' ? 'undo' : 'posts'
}

function ProgressDetail({ run, reading }: ProgressPanelProps) {
  const { state, progress } = run
  const seconds = useSecondsLeft(run, reading)
  if (state === 'paused') return words.paused
  if (state === 'waiting') return words.waiting
  if (!hasReported(run)) return null
  const isContinued = reading.continued > 0 && seconds === undefined && progress.done > 0
  return (
    <>
      {progress.name && words.current(<bdi>{progress.name}</bdi>)}{' '}
      {seconds !== undefined && words.timeLeft(seconds)}
      {isContinued && words.continuing(progress.done)}
    </>
  )
}

type First = Sample & { key: string }

function useSecondsLeft({ $id, state, progress }: ImportRun, { atMs, continued }: Reading) {
  const { phase, done, total } = progress
  const key = [$id, state, phase, continued].join()
  const [first, setFirst] = useState<First>({ key, atMs, done })
  if (first.key !== key) setFirst({ key, atMs, done })
  return first.key === key && total > 0 ? secondsLeft(first, { atMs, done }, total) : undefined
}

function Imported({ run, check }: { run: ImportRun; check: ImportCheck }) {
  const { imported } = run.progress
  const coming = countsWith(check, run.choices)
  const { rows } = texts.importCheck
  const lines = [
    {
      name: rows.posts,
      done: imported.posts + imported.drafts,
      total: coming.posts + coming.drafts,
    },
    { name: rows.pages, done: imported.pages, total: coming.pages },
    { name: rows.pictures, done: imported.pictures, total: coming.pictures },
    { name: rows.comments, done: imported.comments, total: coming.comments },
  ]
  return (
    <div className="box panel">
      <NumberTable
        label={texts.importCheck.table}
        rows={lines
          .filter(({ total }) => total > 0)
          .map(({ name, done, total }) => ({
            name,
            hint: name === rows.comments && done === 0 ? words.afterPosts : undefined,
            number: words.of(done, Math.max(done, total)),
          }))}
      />
    </div>
  )
}
