// Importing in four steps: a file is chosen, checked, imported, and what came is shown. The same
// for a person's own posts and for the whole blog.
import './archive-sheets.css'
import { Check } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import type { ImportRun } from '#contract/archive.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { largeSizeText } from '../ui/large-size.ts'
import type { ArchiveScope } from './archive-api.ts'
import { CheckingStep, CheckStep } from './check-step.tsx'
import { ChooseStep } from './choose-step.tsx'
import { DoneStep } from './done-step.tsx'
import { FailedStep } from './failed-step.tsx'
import { RunningStep } from './running-step.tsx'
import { type Imports, useImports } from './use-imports.ts'

const words = texts.importing
const STEPS = ['choose', 'check', 'import', 'done'] as const
type Step = (typeof STEPS)[number]

type ImportSectionProps = {
  scope: ArchiveScope
  /** The stored imports, the newest first. */
  initial: ImportRun[]
}

export function ImportSection({ scope, initial }: ImportSectionProps) {
  const section = useRef<HTMLElement>(null)
  const titleId = useId()
  const imports = useImports({ scope, initial, section })
  const { run, problem } = imports
  const lead = leadOf(scope, run)
  return (
    <section className="archive-section" ref={section} aria-labelledby={titleId}>
      <div>
        <h2 id={titleId} tabIndex={-1}>
          {scope === 'operator' ? words.wholeTitle : words.title}
        </h2>
        {lead && <p className="archive-section__lead">{lead}</p>}
      </div>
      <Steps current={stepOf(run)} />
      {problem && <Alert kind="error">{problem}</Alert>}
      <StepContent imports={imports} />
    </section>
  )
}

function StepContent({ imports }: { imports: Imports }) {
  const { run } = imports
  if (!run || run.state === 'uploading') return <ChooseStep imports={imports} />
  if (run.state === 'checking') return <CheckingStep imports={imports} run={run} />
  if (run.state === 'checked' && run.check)
    return <CheckStep key={run.$id} imports={imports} run={run} check={run.check} />
  if (['waiting', 'running', 'paused'].includes(run.state))
    return <RunningStep imports={imports} run={run} />
  if (run.state === 'failed') return <FailedStep imports={imports} run={run} />
  return <DoneStep imports={imports} run={run} />
}

function stepOf(run: ImportRun | undefined): Step {
  if (!run || run.state === 'uploading') return 'choose'
  if (run.state === 'checking' || run.state === 'checked') return 'check'
  if (run.state === 'failed') return run.startedAt === '' ? 'check' : 'import'
  return ['waiting', 'running', 'paused'].includes(run.state) ? 'import' : 'done'
}

function leadOf(scope: ArchiveScope, run: ImportRun | undefined): ReactNode {
  const { leads } = words
  switch (stepOf(run)) {
    case 'choose':
      return scope === 'operator' ? leads.chooseWhole : leads.choose
    case 'check':
      if (run?.state === 'failed') return undefined
      if (!run?.check) return leads.checking
      return scope === 'operator' ? <Summary run={run} /> : leads.check
    case 'import':
      return run?.state === 'failed' || run?.state === 'paused' ? undefined : leads.running
    case 'done':
      return undefined
  }
}

/** "harbour-notes.zip: Ghost 5.96, 1,480 posts by 4 people, 2.1 GB of pictures." */
function Summary({ run: { fileName, check } }: { run: ImportRun }) {
  if (!check) return null
  const { program, found, people, pictureBytes } = check
  const posts = found.posts + found.drafts
  const size = pictureBytes > 0 ? largeSizeText(pictureBytes) : ''
  return (
    <>
      <bdi>{fileName}</bdi>: {words.summary(program, posts, people.length, size)}
    </>
  )
}

function Steps({ current }: { current: Step }) {
  const at = STEPS.indexOf(current)
  return (
    <ol className="archive-steps">
      {STEPS.map((step, index) => (
        <li key={step} aria-current={index === at ? 'step' : undefined}>
          {index < at ? (
            <span className="archive-steps__mark archive-steps__mark--done">
              <Check className="icon icon--small" aria-hidden="true" />
            </span>
          ) : (
            <span className="archive-steps__mark" aria-hidden="true">
              {index + 1}
            </span>
          )}
          <span>
            {words.steps[step]}
            {index < at && <span className="visually-hidden">{words.stepDone}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
