// The field of an e-mail address; its value is called `email`.
import type { ComponentProps } from 'react'
import { texts } from '../locales/texts.ts'
import { Field } from '../ui/field.tsx'
import { TextInput } from '../ui/text-input.tsx'

type EmailFieldProps = Pick<ComponentProps<'input'>, 'defaultValue' | 'readOnly' | 'onInput'> & {
  label?: string
  id?: string
  error: string | undefined
}

export function EmailField({ label = texts.fields.email, id, error, ...rest }: EmailFieldProps) {
  return (
    <Field label={label} id={id} error={error}>
      {(ids) => (
        <TextInput
          {...ids}
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          {...rest}
        />
      )}
    </Field>
  )
}
