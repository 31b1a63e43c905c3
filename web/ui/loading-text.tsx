// The spinner with a text, shown only when the wait is long enough to notice. Knows nothing of the
// product.
import { useEffect, useState } from 'react'
import { Spinner } from './spinner.tsx'

const NOTICED_AFTER_MS = 150

type LoadingTextProps = {
  children: string
  /** For a wait that is known to be long: shown at once. */
  isImmediate?: boolean
}

export function LoadingText({ children, isImmediate = false }: LoadingTextProps) {
  const [isShown, setShown] = useState(isImmediate)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), NOTICED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className="loading" role="status">
      {isShown && (
        <>
          <Spinner />
          {children}
        </>
      )}
    </p>
  )
}
