// A form at the side of the window, in a native dialog: the first field gets the focus, Esc closes
// the drawer, and the focus returns. The submit button stays in sight.
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

/** The drawer is open as long as it is rendered. */
export function Drawer({ title, submitLabel, isBusy, children, onSubmit, onClose }: DrawerProps) {
  const id = useId()
  const dialog = useModal({ onClose, onBackdrop: onClose })
  useLayoutEffect(
    () => dialog.current?.querySelector<HTMLElement>('input, select')?.focus(),
    [dialog],
  )
  return (
    <dialog className="drawer" ref={dialog} aria-labelledby={id} dir={texts.direction}>
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
