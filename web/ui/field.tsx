// A labelled field with its hint and its error, connected for screen readers. Knows nothing of the
// product.
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'

/** Spread these on the control. */
type FieldIds = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type FieldProps = {
  label: ReactNode
  /** Fixed id of the control, for links that lead to it. Generated if left out. */
  id?: string | undefined
  hint?: ReactNode
  error?: ReactNode
  children: (ids: FieldIds) => ReactNode
}

export function Field({ label, id, hint, error, children }: FieldProps) {
  const ownId = useId()
  const control = id ?? ownId
  const described = [hint ? `${control}-hint` : '', error ? `${control}-error` : '']
    .filter(Boolean)
    .join(' ')
  return (
    <div className="field">
      <label htmlFor={control}>{label}</label>
      {children({
        id: control,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p className="hint" id={`${control}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${control}-error`}>
          <CircleAlert className="icon icon--small" aria-hidden="true" />
          <span>{error}</span>
        </p>
      )}
    </div>
  )
}
