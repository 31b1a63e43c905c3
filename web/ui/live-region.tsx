// Two live regions that announce changes to screen readers. They are in the page from the start.
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

/** `isUrgent` interrupts what is being read. */
type Announce = (text: string, options?: { isUrgent?: boolean }) => void

const AnnounceContext = createContext<Announce>(() => {})

export function useAnnounce(): Announce {
  return useContext(AnnounceContext)
}

export function LiveRegion({ children }: { children: ReactNode }) {
  const [polite, setPolite] = useState('')
  const [urgent, setUrgent] = useState('')
  const announce = useCallback<Announce>((text, options) => {
    const set = options?.isUrgent ? setUrgent : setPolite
    // Screen readers announce only a changed text, so a repeated one gets a space at its end.
    set((current) => (current === text ? `${text}\u00a0` : text))
  }, [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <p className="visually-hidden" role="status">
        {polite}
      </p>
      <p className="visually-hidden" role="alert">
        {urgent}
      </p>
    </AnnounceContext>
  )
}
