// A labelled field with its hint and its error, connected for screen readers; text, select and
// password fields.
import { ChevronDown, CircleAlert, Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { texts } from '../locales/texts.ts'

/** Attributes that the caller spreads on the control. */
type FieldIds = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type FieldProps = {
  label: ReactNode
  /** A fixed id of the control, for links to it. Generated if left out. */
  id?: string | undefined
  hint?: ReactNode
  error?: ReactNode
}

export function Field({
  label,
  id,
  hint,
  error,
  children,
}: FieldProps & { children: (ids: FieldIds) => ReactNode }) {
  const generatedId = useId()
  const controlId = id ?? generatedId
  const descriptionIds = [hint ? `${controlId}-hint` : '', error ? `${controlId}-error` : '']
    .filter(Boolean)
    .join(' ')
  return (
    <div className="stack field">
      <label htmlFor={controlId}>{label}</label>
      {children({
        id: controlId,
        'aria-describedby': descriptionIds || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p className="hint" id={`${controlId}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${controlId}-error`}>{error}</FieldError>}
    </div>
  )
}

type FieldErrorProps = { id: string; role?: 'alert' | undefined; children: ReactNode }

export function FieldError({ id, role, children }: FieldErrorProps) {
  return (
    <p className="field-error" id={id} role={role}>
      <CircleAlert className="icon icon--small" aria-hidden="true" />
      <span>{children}</span>
    </p>
  )
}

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} className={className ? `input ${className}` : 'input'} />
}

/** A field of one line of text. */
export function InputField({
  label,
  id,
  hint,
  error,
  ...input
}: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} id={id} hint={hint} error={error}>
      {(ids) => <TextInput {...ids} {...input} />}
    </Field>
  )
}

type SelectFieldProps = FieldProps &
  Omit<ComponentProps<'select'>, 'onChange'> & {
    choices: readonly (readonly [value: string, name: string])[]
    onChange: (value: string) => void
  }

/** A field in which the user chooses one of a few values. */
export function SelectField(props: SelectFieldProps) {
  const { label, id, hint, error, choices, onChange, ...select } = props
  return (
    <Field label={label} id={id} hint={hint} error={error}>
      {(ids) => (
        <span className="select">
          <select
            {...ids}
            {...select}
            className="input"
            onChange={(event) => onChange(event.currentTarget.value)}
          >
            {choices.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <ChevronDown className="icon" aria-hidden="true" />
        </span>
      )}
    </Field>
  )
}

/** A field for a password, with a button that shows what was typed. */
export function PasswordField({
  label,
  id,
  hint,
  error,
  ...input
}: FieldProps & ComponentProps<'input'>) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field label={label} id={id} hint={hint} error={error}>
      {(ids) => (
        <div className="input-with-button">
          <TextInput
            {...ids}
            {...input}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
          />
          <button
            className="btn btn--icon"
            type="button"
            aria-label={texts.passwordInput.show}
            aria-pressed={isShown}
            aria-controls={ids.id}
            onClick={() => setShown(!isShown)}
          >
            <Icon className="icon" aria-hidden="true" />
          </button>
        </div>
      )}
    </Field>
  )
}
