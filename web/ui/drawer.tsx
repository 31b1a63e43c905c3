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
  /** Shown in the foot instead of "Cancel". */
  extra?: ReactNode
  /** Why the last press of the button failed; in sight above it. */
  notice?: ReactNode
  children: ReactNode
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
  onClose: () => void
}

const FIRST_FIELD = ':is(input:checked, input:not([type="radio"]), select)'

/** The drawer is open as long as it is rendered. */
export function Drawer(props: DrawerProps) {
  const { title, submitLabel, isBusy, extra, notice, children, onSubmit, onClose } = props
  const id = useId()
  const dialog = useModal({ onClose, onBackdrop: onClose })
  useLayoutEffect(() => stayAboveKeyboard(dialog.current), [dialog])
  useLayoutEffect(() => dialog.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus(), [dialog])
  return (
    <dialog className="drawer" ref={dialog} aria-labelledby={id} dir={texts.direction}>
      <form className="drawer__form" noValidate onSubmit={onSubmit}>
        <DialogHead id={id} title={title} onClose={onClose} />
        <div className="stack drawer__body">{children}</div>
        <div className="unless-empty drawer__notice" role="alert">
          {notice}
        </div>
        <div className="apart drawer__foot">
          {extra ?? <Button onClick={onClose}>{texts.actions.cancel}</Button>}
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </dialog>
  )
}

/** Browsers draw the keyboard over the page; only the visual viewport becomes smaller. */
function stayAboveKeyboard(dialog: HTMLDialogElement | null): (() => void) | undefined {
  const viewport = window.visualViewport
  if (!viewport || !dialog) return undefined
  const listening = new AbortController()
  const follow = () => {
    const isZoomed = viewport.scale > 1
    dialog.style.setProperty('--drawer-height', isZoomed ? '' : `${viewport.height}px`)
  }
  follow()
  viewport.addEventListener('resize', follow, listening)
  return () => listening.abort()
}
