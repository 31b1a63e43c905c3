// Pages whose code is loaded when they are opened. One whose code does not load says so, inside the
// shell, and tries again.
import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react'
import { LoadFailure } from '../api/load-failure.tsx'
import { texts } from '../locales/texts.ts'
import { loadCode } from '../ui/load-code.ts'
import { PageLoading } from '../ui/screens.tsx'

/** The `lazy` of a route. In the browser it never rejects: a router error would replace the app. */
export function lazyPage(load: LoadPage): () => Promise<{ Component: ComponentType }> {
  return async () => {
    if (typeof document === 'undefined') return { Component: await load() }
    try {
      const Component = await load()
      resetReload()
      return { Component }
    } catch {
      return { Component: makeRetryPage(load) }
    }
  }
}

const retryPages = new WeakSet<object>()

/**
 * Whether this stands in for a page whose code did not load: it looks unlike what the server sent.
 */
export function isRetryPage(component: unknown): boolean {
  return typeof component === 'function' && retryPages.has(component)
}

/** The router keeps the component it got, so this one shows the page when its code has loaded. */
function makeRetryPage(load: LoadPage): ComponentType {
  let Page: ComponentType | undefined
  let wasShown = false

  retryPages.add(RetryPage)
  return RetryPage

  function RetryPage() {
    const [isHere, setHere] = useState(Page !== undefined)
    const [hasFailed, setFailed] = useState(!wasShown)
    const [isBusy, setBusy] = useState(false)
    const button = useRef<HTMLButtonElement>(null)

    const ask = useCallback(async (isAsked: boolean) => {
      setBusy(true)
      const found = await retryPage(
        {
          load: () => loadCode(load),
          isServerThere,
          claimReload,
          reload: () => window.location.reload(),
        },
        isAsked,
      )
      setBusy(false)
      setFailed(!found)
      if (!found) return
      // The button is removed with the failure.
      if (document.activeElement === button.current)
        document.querySelector('main')?.focus({ preventScroll: true })
      Page = found
      setHere(true)
    }, [])

    useEffect(() => {
      wasShown = true
      if (!Page) void ask(false)
    }, [ask])
    if (isHere && Page) return <Page />
    if (!hasFailed) return <PageLoading />
    return (
      <LoadFailure
        text={texts.failures.noAnswer}
        button={button}
        isBusy={isBusy}
        onRetry={(isAsked) => void ask(isAsked)}
      />
    )
  }
}

type LoadPage = () => Promise<ComponentType>

export type RetryNeeds = {
  load: LoadPage
  /** Whether the server answers for the page's own address. */
  isServerThere: () => Promise<boolean>
  /** Whether this address may reload by itself; true once. */
  claimReload: () => boolean
  /** Reloads the document. */
  reload: () => void
}

/**
 * Loads the code once more. A server that answers without having it has another version of the app:
 * then the document is reloaded.
 *
 * @param isAsked "Try again" was pressed
 * @returns the page, or undefined when it still could not be loaded
 */
export async function retryPage(
  { load, isServerThere, claimReload, reload }: RetryNeeds,
  isAsked: boolean,
): Promise<ComponentType | undefined> {
  try {
    return await load()
  } catch {
    if ((await isServerThere()) && (isAsked || claimReload())) reload()
    return undefined
  }
}

const RELOADED_KEY = 'reloaded-for'

async function isServerThere(): Promise<boolean> {
  if (!navigator.onLine) return false
  return await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )
}

/** False where storage is blocked: the second time would look like the first. */
function claimReload(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_KEY) === location.pathname) return false
    sessionStorage.setItem(RELOADED_KEY, location.pathname)
    return true
  } catch {
    return false
  }
}

/** After a page has loaded: the next one that does not may reload by itself again. */
function resetReload(): void {
  try {
    sessionStorage.removeItem(RELOADED_KEY)
  } catch {
    // Blocked: nothing was stored either.
  }
}
