// A password field with a button that shows what was typed.
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { TextInput } from './text-input.tsx'

export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <div className="input-with-button">
      <TextInput
        {...props}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
      />
      <button
        className="btn btn--icon"
        type="button"
        aria-label={texts.passwordInput.show}
        aria-pressed={isShown}
        aria-controls={props.id}
        onClick={() => setShown(!isShown)}
      >
        <Icon className="icon" aria-hidden="true" />
      </button>
    </div>
  )
}
