// A native dialog with a form: a title, a close button, the fields, Cancel and a submit button. The
// first field gets the focus, Esc cancels, and the focus returns.
import { type ComponentProps, type FormEvent, type ReactNode, useId, useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import { texts } from '../locales/texts.ts'
import { Button } from './button.tsx'
import { DialogHead } from './dialog-head.tsx'
import { InputField } from './field.tsx'
import { useModal } from './use-modal.ts'

const FIRST_FIELD = ':is(input, select, textarea):not([type=hidden])'

type FormDialogProps = {
  title: string
  isWide?: boolean
  submitLabel: string
  /** While true, the submit button does nothing. */
  isSubmitDisabled?: boolean
  /** Shown in the row of the buttons, at the other side. */
  extra?: ReactNode
  children: ReactNode
  onSubmit: () => void
  onClose: () => void
}

/**
 * The dialog is open as long as it is rendered. It is rendered into the body, because it may be
 * opened from inside a form.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, isWide = false, submitLabel, isSubmitDisabled = false, extra, children } = props
  const id = useId()
  const dialog = useModal({ onClose: props.onClose })
  useLayoutEffect(() => dialog.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus(), [dialog])

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    event.stopPropagation() // React also passes the event to the form that has opened the dialog
    if (!isSubmitDisabled) props.onSubmit()
  }
  return createPortal(
    <dialog
      className={isWide ? 'float dialog form-dialog form-dialog--wide' : 'float dialog form-dialog'}
      ref={dialog}
      dir={texts.direction}
      aria-labelledby={id}
    >
      <form className="stack" noValidate onSubmit={handleSubmit}>
        <DialogHead id={id} title={title} onClose={props.onClose} />
        {children}
        <div className="form-dialog__buttons">
          {extra}
          <Button kind="secondary" onClick={props.onClose}>
            {texts.actions.cancel}
          </Button>
          <Button kind="primary" type="submit" aria-disabled={isSubmitDisabled || undefined}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </dialog>,
    document.body,
  )
}

type TextFieldProps = Omit<ComponentProps<typeof InputField>, 'onChange'> & {
  onChange: (typed: string) => void
}

/** A labelled field for one line of text, whose value the caller controls. */
export function TextField({ onChange, ...rest }: TextFieldProps) {
  return (
    <InputField
      autoComplete="off"
      {...rest}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
