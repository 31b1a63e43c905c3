// The toasts of the page. A toast is never the only place that shows a form error.

import { CircleAlert, CircleCheck, X } from 'lucide-react'
import {
  createContext,
  type FocusEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { texts } from '../locales/texts.ts'
import { usePageEvent } from './use-page-event.ts'

type Toasts = { show: (message: ToastMessage) => void }

const ToastContext = createContext<Toasts>({ show: () => {} })

export function useToasts(): Toasts {
  return useContext(ToastContext)
}

/** Renders the region "Notifications" after everything else; F8 moves the focus there. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [visibleToasts, setVisibleToasts] = useState<{ key: number; message: ToastMessage }[]>([])
  const region = useRef<HTMLElement>(null)
  const focusedBefore = useRef<EventTarget | null>(null)
  const nextKey = useRef(0)

  const show = useCallback((message: ToastMessage) => {
    nextKey.current += 1
    const key = nextKey.current
    setVisibleToasts((current) => [
      ...current.filter((other) => other.message.text !== message.text),
      { key, message },
    ])
  }, [])
  const close = useCallback((key: number) => {
    // A toast is removed with its buttons: the focus returns to where it was before.
    if (region.current?.contains(document.activeElement)) {
      const opener =
        focusedBefore.current instanceof HTMLElement && focusedBefore.current.isConnected
          ? focusedBefore.current
          : document.querySelector('main')
      opener?.focus({ preventScroll: true })
    }
    setVisibleToasts((current) => current.filter((toast) => toast.key !== key))
  }, [])
  const toasts = useMemo(() => ({ show }), [show])

  usePageEvent('keydown', (event) => {
    if (event.key !== 'F8') return
    event.preventDefault()
    const target = region.current?.querySelector('button') ?? region.current
    target?.focus()
  })

  function handleFocus({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
      focusedBefore.current = relatedTarget
  }

  return (
    <ToastContext value={toasts}>
      {children}
      <section
        className="toasts"
        aria-label={texts.toasts.region}
        tabIndex={-1}
        ref={region}
        onFocus={handleFocus}
      >
        {visibleToasts.map(({ key, message }) => (
          <Toast key={key} id={key} message={message} onClose={close} />
        ))}
      </section>
    </ToastContext>
  )
}

const SUCCESS_SHOWN_MS = 5000

type ToastMessage = {
  kind: 'ok' | 'error'
  text: string
  action?: { label: string; onPress: () => void }
}

/** For an action that failed, but may succeed the next time. */
export function retryToast(text: string, onPress: () => void): ToastMessage {
  return { kind: 'error', text, action: { label: texts.actions.tryAgain, onPress } }
}

/**
 * Calls `onTimeout` when neither the pointer nor the focus has been in an element for `forMs`.
 *
 * @returns the event handlers of the element
 */
export function useDismissTimer(onTimeout: () => void, forMs: number | undefined) {
  const [isHeld, setHeld] = useState(false)
  const end = useEffectEvent(onTimeout)
  useEffect(() => {
    if (isHeld || forMs === undefined) return
    const timer = setTimeout(() => end(), forMs)
    return () => clearTimeout(timer)
  }, [isHeld, forMs])
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release }
}

type ToastProps = { id: number; message: ToastMessage; onClose: (id: number) => void }

function Toast({ id, message, onClose }: ToastProps) {
  const { kind, text, action } = message
  const timerHandlers = useDismissTimer(
    () => onClose(id),
    kind === 'error' ? undefined : SUCCESS_SHOWN_MS,
  )
  const Icon = kind === 'ok' ? CircleCheck : CircleAlert
  return (
    <div className="float toast" role={kind === 'ok' ? 'status' : 'alert'} {...timerHandlers}>
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
