// A form at the end of the window, on the native dialog: the first field has the focus, Esc closes
// it, and the focus returns. Its verb stays in sight.
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect } from 'react'
import { texts } from '../locales/texts.ts'
import { Button } from './button.tsx'
import { DialogHead } from './dialog-head.tsx'
import { useModal } from './use-modal.ts'

type DrawerProps = {
  title: string
  submitLabel: string
  isBusy: boolean
  children: ReactNode
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
  onClose: () => void
}

/** Open for as long as it is rendered. */
export function Drawer({ title, submitLabel, isBusy, children, onSubmit, onClose }: DrawerProps) {
  const id = useId()
  const box = useModal({ onClose, onBackdrop: onClose })
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('input, select')?.focus(), [box])
  return (
    <dialog className="drawer" ref={box} aria-labelledby={id} dir={texts.direction}>
      <form className="drawer__form" noValidate onSubmit={onSubmit}>
        <DialogHead id={id} title={title} onClose={onClose} />
        <div className="stack drawer__body">{children}</div>
        <div className="apart drawer__foot">
          <Button onClick={onClose}>{texts.actions.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
