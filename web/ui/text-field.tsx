// A labelled field for one line of text.
import type { ComponentProps } from 'react'
import { Field } from './field.tsx'
import { TextInput } from './text-input.tsx'

type TextFieldProps = Omit<ComponentProps<'input'>, 'onChange'> &
  Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'error'> & {
    onChange: (typed: string) => void
  }

export function TextField({ label, hint, error, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <TextInput
          autoComplete="off"
          {...rest}
          {...ids}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
