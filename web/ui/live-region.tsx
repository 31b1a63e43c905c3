// Two quiet regions, there from the start, that say to a screen reader what changed on the screen.
// Knows no product word.
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
    // The same words said twice must be a change, or nothing is read.
    set((before) => (before === text ? `${text}\u00a0` : text))
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
