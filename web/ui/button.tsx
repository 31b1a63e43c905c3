// A button that can be busy: the spinner takes the place of its words, and it stays focusable.
// Knows no product word.
import type { ComponentProps, MouseEvent } from 'react'
import { type ButtonKind, buttonClass } from './button-class.ts'
import { Spinner } from './spinner.tsx'

type ButtonProps = ComponentProps<'button'> & {
  kind?: ButtonKind
  /** Shows the spinner and ignores presses; never `disabled`, so the focus is not lost. */
  isBusy?: boolean
  /** What a screen reader hears while busy; the button's own words if left out. */
  busyLabel?: string
  isWide?: boolean
}

export function Button({
  kind = 'secondary',
  isBusy = false,
  busyLabel,
  isWide = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const isOff = isBusy || rest['aria-disabled'] === true || rest['aria-disabled'] === 'true'
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (isOff) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(
        kind,
        [isWide ? 'btn--wide' : '', className ?? ''].filter(Boolean).join(' '),
      )}
      aria-busy={isBusy || undefined}
      aria-disabled={isOff || undefined}
      onClick={handleClick}
    >
      {isBusy ? (
        <>
          <Spinner />
          <span className="visually-hidden">{busyLabel ?? children}</span>
        </>
      ) : (
        children
      )}
    </button>
  )
}
