// The form of a settings section: what came of the last try, the fields, the button that saves.
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { FormOutcome } from './form-outcome.tsx'
import type { SettingsFormState } from './use-settings-form.ts'

type SettingsFormProps = {
  form: SettingsFormState
  label: string
  children: ReactNode
  submitLabel: string
  busyLabel: string
}

export function SettingsForm({ form, label, submitLabel, busyLabel, children }: SettingsFormProps) {
  return (
    <>
      <FormOutcome failureText={form.failure?.message} doneText={form.doneText} />
      <form noValidate aria-label={label} className="stack" onSubmit={form.handleSubmit}>
        {children}
        <div className="row">
          <Button kind="primary" type="submit" isBusy={form.isBusy} busyLabel={busyLabel}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </>
  )
}
