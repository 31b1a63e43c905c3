// The toasts of the page and the way to show one. Never the only place for a form error. Knows no product word.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
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
  const nextKey = useRef(0)

  const show = useCallback((message: ToastMessage) => {
    nextKey.current += 1
    const key = nextKey.current
    setShown((now) => [...now.filter((other) => other.message.text !== message.text), { key, message }])
  }, [])
  const close = useCallback((key: number) => setShown((now) => now.filter((toast) => toast.key !== key)), [])
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

  return (
    <ToastContext value={toasts}>
      {children}
      <section className="toasts" aria-label={texts.toasts.region} tabIndex={-1} ref={region}>
        {shown.map(({ key, message }) => (
          <Toast key={key} id={key} message={message} onClose={close} />
        ))}
      </section>
    </ToastContext>
  )
}
