// The toasts of the page and the way to show one. Never the only place for a form error. Knows
// nothing of the product.
import {
  createContext,
  type FocusEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { texts } from '../locales/texts.ts'
import { Toast, type ToastMessage } from './toast.tsx'

type Toasts = { show: (message: ToastMessage) => void }

const ToastContext = createContext<Toasts>({ show: () => {} })

export function useToasts(): Toasts {
  return useContext(ToastContext)
}

/** Puts the region "Notifications" after everything else; F8 leads there. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ key: number; message: ToastMessage }[]>([])
  const region = useRef<HTMLElement>(null)
  const before = useRef<EventTarget | null>(null)
  const nextKey = useRef(0)

  const show = useCallback((message: ToastMessage) => {
    nextKey.current += 1
    const key = nextKey.current
    setShown((now) => [
      ...now.filter((other) => other.message.text !== message.text),
      { key, message },
    ])
  }, [])
  const close = useCallback((key: number) => {
    // A toast is removed with its buttons: the focus returns to where it was before.
    if (region.current?.contains(document.activeElement)) {
      const opener =
        before.current instanceof HTMLElement && before.current.isConnected
          ? before.current
          : document.querySelector('main')
      opener?.focus({ preventScroll: true })
    }
    setShown((now) => now.filter((toast) => toast.key !== key))
  }, [])
  const toasts = useMemo(() => ({ show }), [show])

  useEffect(() => {
    function handleKey(event: KeyboardEvent) {
      if (event.key !== 'F8') return
      event.preventDefault()
      const target = region.current?.querySelector('button') ?? region.current
      target?.focus()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])

  function handleFocus({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
      before.current = relatedTarget
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
        {shown.map(({ key, message }) => (
          <Toast key={key} id={key} message={message} onClose={close} />
        ))}
      </section>
    </ToastContext>
  )
}
