// One toast. A success disappears after five seconds without the pointer or the focus on it; a
// failure stays until it is closed.
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { texts } from '../locales/texts.ts'

const SUCCESS_SHOWN_MS = 5000

export type ToastMessage = {
  kind: 'ok' | 'error'
  text: string
  action?: { label: string; onPress: () => void }
}

type ToastProps = { id: number; message: ToastMessage; onClose: (id: number) => void }

export function Toast({ id, message, onClose }: ToastProps) {
  const { kind, text, action } = message
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (kind === 'error' || isHeld) return
    const timer = setTimeout(() => onClose(id), SUCCESS_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [kind, isHeld, id, onClose])
  const Icon = kind === 'ok' ? CircleCheck : CircleAlert
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it has a role; the pointer and the focus only keep it open
    <div
      className="toast"
      role={kind === 'ok' ? 'status' : 'alert'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon
        className={kind === 'ok' ? 'icon toast__icon--ok' : 'icon toast__icon--error'}
        aria-hidden="true"
      />
      <span>{text}</span>
      <div>
        {action && (
          <button
            className="btn toast__action"
            type="button"
            onClick={() => {
              onClose(id)
              action.onPress()
            }}
          >
            {action.label}
          </button>
        )}
        <button
          className="btn btn--icon"
          type="button"
          aria-label={texts.actions.close}
          onClick={() => onClose(id)}
        >
          <X className="icon" aria-hidden="true" />
        </button>
      </div>
    </div>
  )
}
