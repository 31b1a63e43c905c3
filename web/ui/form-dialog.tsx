// A dialog with fields on the native dialog: a title, a button that closes it, and at its end
// Cancel and its own verb. The first field has the focus, Esc cancels, and the focus returns.
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
  /** While true the verb does nothing. */
  isSubmitOff?: boolean
  /** Before the buttons, at their other side. */
  extra?: ReactNode
  children: ReactNode
  onSubmit: () => void
  onClose: () => void
}

/** Open for as long as it is rendered. In the body: it may be asked for from inside a form. */
export function FormDialog(props: FormDialogProps) {
  const { title, isWide = false, submitLabel, isSubmitOff = false, extra, children } = props
  const id = useId()
  const box = useModal({ onClose: props.onClose })
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus(), [box])

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    event.stopPropagation() // the form that the dialog stands in would take it as its own
    if (!isSubmitOff) props.onSubmit()
  }
  return createPortal(
    <dialog
      className={isWide ? 'float dialog form-dialog form-dialog--wide' : 'float dialog form-dialog'}
      ref={box}
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
          <Button kind="primary" type="submit" aria-disabled={isSubmitOff || undefined}>
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

/** A labelled field for one line of text whose value the caller holds. */
export function TextField({ onChange, ...rest }: TextFieldProps) {
  return (
    <InputField
      autoComplete="off"
      {...rest}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
