// The head of a dialog: its title, and the button that closes it.
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { texts } from '../locales/texts.ts'
import { IconButton } from './button.tsx'

type DialogHeadProps = {
  /** Id of the title, for `aria-labelledby`. */
  id: string
  title: ReactNode
  onClose: () => void
}

export function DialogHead({ id, title, onClose }: DialogHeadProps) {
  return (
    <div className="apart dialog-head">
      <h2 id={id}>{title}</h2>
      <IconButton label={texts.actions.close} onClick={onClose} Icon={X} />
    </div>
  )
}
