// One line of text.
import type { ComponentProps } from 'react'

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} className={className ? `input ${className}` : 'input'} />
}
