// The form of a settings section: what came of the last try, the fields, the button that saves. The
// button is bright once there is something to save.
import { type ReactNode, useState } from 'react'
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
  const [isChanged, setChanged] = useState(false)
  return (
    <>
      <FormOutcome failureText={form.failure?.message} doneText={form.doneText} />
      <form
        noValidate
        aria-label={label}
        className="stack"
        onSubmit={form.handleSubmit}
        onInput={({ currentTarget }) => setChanged(hasChange(currentTarget))}
        onReset={() => setChanged(false)}
      >
        {children}
        <div className="row">
          <Button
            kind={isChanged ? 'primary' : 'secondary'}
            type="submit"
            isBusy={form.isBusy}
            busyLabel={busyLabel}
          >
            {submitLabel}
          </Button>
        </div>
      </form>
    </>
  )
}

function hasChange(form: HTMLFormElement): boolean {
  return [...form.elements].some(
    (field) =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
      field.value !== field.defaultValue,
  )
}
