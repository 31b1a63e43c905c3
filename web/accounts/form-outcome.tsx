// The outcome of the last submit of a form, above its fields. The region is there from the start,
// so that screen readers announce it.
import type { ReactNode } from 'react'
import { Alert } from '../ui/alert.tsx'

type FormOutcomeProps = { failureText: ReactNode; doneText: ReactNode }

export function FormOutcome({ failureText, doneText }: FormOutcomeProps) {
  return (
    <>
      {failureText && <Alert kind="error">{failureText}</Alert>}
      <div role="status" className="form-message">
        {doneText && (
          <Alert kind="ok" isQuiet>
            {doneText}
          </Alert>
        )}
      </div>
    </>
  )
}
