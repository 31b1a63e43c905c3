// A message box inside a page. An error interrupts a screen reader, other messages do not.
import { CircleAlert, CircleCheck, type LucideIcon, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { texts } from '../locales/texts.ts'

const KINDS = {
  error: { className: 'alert', role: 'alert', Icon: CircleAlert },
  ok: { className: 'alert alert--ok', role: 'status', Icon: CircleCheck },
  warn: { className: 'alert alert--warn', role: 'status', Icon: TriangleAlert },
} as const

type AlertProps = {
  kind: keyof typeof KINDS
  /** Takes the focus when it appears, as a summary of form errors does. */
  takesFocus?: boolean
  /** Replaces the icon of the kind. */
  Icon?: LucideIcon
  /** For a box inside a live region: it has no role of its own. */
  isQuiet?: boolean
  children: ReactNode
}

export function Alert({
  kind,
  takesFocus = false,
  Icon = KINDS[kind].Icon,
  isQuiet = false,
  children,
}: AlertProps) {
  const { className, role } = KINDS[kind]
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) box.current?.focus()
  }, [takesFocus])
  return (
    <div
      className={className}
      role={isQuiet ? undefined : role}
      ref={box}
      tabIndex={takesFocus ? -1 : undefined}
    >
      <Icon className="icon" aria-hidden="true" />
      {/* A post around the box may have another direction. */}
      <div dir={texts.direction}>{children}</div>
    </div>
  )
}
