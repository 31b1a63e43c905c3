// An import that has failed: before anything was imported, or in the middle.
import type { ImportRun } from '#contract/archive.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { UndoPanel } from './done-step.tsx'
import { NewImportButton } from './import-buttons.tsx'
import type { Imports } from './use-imports.ts'

const words = texts.importing

export function FailedStep({ imports, run }: { imports: Imports; run: ImportRun }) {
  const hasStarted = run.startedAt !== ''
  return (
    <>
      <Alert kind="error">
        <b>{hasStarted ? words.failed : words.unreadable}</b> <span lang="en">{run.problem}</span>
      </Alert>
      {!hasStarted && (
        <p className="quiet">
          <bdi>{run.fileName}</bdi>
        </p>
      )}
      {run.undoUntil !== '' && <UndoPanel imports={imports} run={run} />}
      <div className="row">
        {hasStarted && (
          <Button
            kind="primary"
            isBusy={imports.pending === 'resume'}
            onClick={() => void imports.act('resume')}
          >
            {words.continue}
          </Button>
        )}
        <NewImportButton imports={imports} kind={hasStarted ? 'ghost' : 'primary'}>
          {words.another}
        </NewImportButton>
      </div>
    </>
  )
}
