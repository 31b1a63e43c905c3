// What is shown while something loads: the spinner with a text, or a page that is only that.
// Independent of the product.
import { useContext, useEffect, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { PageTitle, SiteName } from './page-title.tsx'
import { Spinner } from './spinner.tsx'

const NOTICED_AFTER_MS = 150

type LoadingTextProps = {
  children: string
  /** For a wait that is known to be long: shown at once. */
  isImmediate?: boolean
}

/** Shown only when the wait is long enough to notice. */
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

/** While the code of a page is loading: inside the shell, so that nothing moves. */
export function PageLoading() {
  return (
    <div className="message-screen message-screen--guard">
      <PageTitle screen={texts.waiting.screen} />
      <h1 className="visually-hidden">{useContext(SiteName)}</h1>
      <LoadingText>{texts.waiting.page}</LoadingText>
    </div>
  )
}
