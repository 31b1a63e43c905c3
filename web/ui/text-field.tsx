// A labelled field for one line of text whose value the caller holds. Independent of the product.
import type { ComponentProps } from 'react'
import { InputField } from './field.tsx'

type TextFieldProps = Omit<ComponentProps<typeof InputField>, 'onChange'> & {
  onChange: (typed: string) => void
}

export function TextField({ onChange, ...rest }: TextFieldProps) {
  return (
    <InputField
      autoComplete="off"
      {...rest}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
