// A button, which stays focusable while it is busy and shows a spinner instead of its label; and a
// link that looks like a button.
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import { Link, type LinkProps } from './link.tsx'

export type ButtonKind = 'primary' | 'secondary' | 'ghost' | 'danger'

type ButtonProps = ComponentProps<'button'> & {
  kind?: ButtonKind
  /** Shows the spinner and ignores presses; never `disabled`, so the focus is not lost. */
  isBusy?: boolean
  /** The label for screen readers while busy; by default that of the button. */
  busyLabel?: string
  isWide?: boolean
  /** Shown before the label, or instead of one. */
  Icon?: LucideIcon
}

export function Button({
  kind = 'secondary',
  isBusy = false,
  busyLabel,
  isWide = false,
  Icon,
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
      className={buttonClass(kind, `${isWide ? 'btn--wide ' : ''}${className ?? ''}`)}
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
        <>
          {Icon && <Icon className="icon" aria-hidden="true" />}
          {children}
        </>
      )}
    </button>
  )
}

/** A button without words, named for screen readers by its label. */
export function IconButton({ label, className = '', ...rest }: ButtonProps & { label: string }) {
  const classes = `btn--icon ${className}`.trimEnd()
  return <Button kind="ghost" aria-label={label} {...rest} className={classes} />
}

/** The classes of a button, for plain links that look like one. */
export function buttonClass(kind: ButtonKind, extra = ''): string {
  return `btn btn--${kind} ${extra}`.trimEnd()
}

/** A decoration: a text beside it says what is going on. */
export function Spinner() {
  return <LoaderCircle className="icon spinner" aria-hidden="true" />
}

type ButtonLinkProps = LinkProps & Pick<ButtonProps, 'kind' | 'Icon'>

/** A link that looks like a button. */
export function ButtonLink(props: ButtonLinkProps) {
  const { kind = 'secondary', Icon, className, children, ...rest } = props
  return (
    <Link {...rest} className={buttonClass(kind, className)}>
      {Icon && <Icon className="icon" aria-hidden="true" />}
      {children}
    </Link>
  )
}
