// The last step of an import: what came, what was left out, and undoing it.
import type { ImportCheck, ImportRun } from '#contract/archive.ts'
import { LocalDate } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { NewImportButton, UndoButton } from './import-buttons.tsx'
import { LeftOut } from './left-out.tsx'
import { ImportProgressPanel } from './running-step.tsx'
import type { Imports } from './use-imports.ts'

const words = texts.importDone

type RunProps = { imports: Imports; run: ImportRun }

/** Also shows that an import is being undone, or is undone. */
export function DoneStep({ imports, run }: RunProps) {
  const { scope } = imports
  if (run.state === 'undoing') return <ImportProgressPanel run={run} reading={imports.reading} />
  const isUndone = run.state === 'undone'
  return (
    <>
      {isUndone ? (
        <Alert kind="ok" isQuiet>
          {words.undone(run.kept)}
        </Alert>
      ) : (
        <>
          <Alert kind="ok" isQuiet>
            <Outcome run={run} check={run.check} />
          </Alert>
          {run.check && (
            <LeftOut scope={scope} run={run} check={run.check} choices={run.choices} isDone />
          )}
          {run.undoUntil !== '' && <UndoPanel imports={imports} run={run} />}
        </>
      )}
      <div className="row">
        {!isUndone && (
          <ButtonLink kind="primary" to={scope === 'operator' ? '/admin/posts' : '/dashboard'}>
            {scope === 'operator' ? words.seeAll : words.see}
          </ButtonLink>
        )}
        <NewImportButton imports={imports} kind={isUndone ? 'secondary' : 'ghost'}>
          {words.another}
        </NewImportButton>
      </div>
    </>
  )
}

/** "229 posts imported. 1,083 of 1,106 pictures, 1,893 comments. It took 9 minutes." */
function Outcome({ run, check }: { run: ImportRun; check: ImportCheck | null }) {
  const { imported } = run.progress
  const seconds = (Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000
  return (
    <>
      <b>{words.title(imported.posts + imported.drafts)}</b>{' '}
      {words.more(imported, check?.found ?? imported, seconds)}
    </>
  )
}

export function UndoPanel({ imports, run }: RunProps) {
  const { posts, drafts } = run.progress.imported
  return (
    <div className="box panel archive-undo">
      <p>
        {words.undo}
        <small className="hint">{words.undoHint(<LocalDate time={run.undoUntil} />)}</small>
      </p>
      <UndoButton
        imports={imports}
        label={words.undoButton}
        question={{ ...words.undoing, text: words.undoing.text(posts + drafts) }}
      />
    </div>
  )
}
