// Pages whose code is loaded when they are opened. One whose code does not load says so, inside the
// shell, and tries again.
import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { loadCode } from '../ui/load-code.ts'
import { useWhenOnline } from '../ui/use-online.ts'
import { NoAnswer } from './no-answer.tsx'
import { PageLoading } from './page-loading.tsx'
import { claimReload, isServerThere, type LoadPage, resetReload, retryPage } from './page-retry.ts'

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
    useWhenOnline(() => {
      if (!Page) void ask(false)
    })

    if (isHere && Page) return <Page />
    if (!hasFailed) return <PageLoading />
    return (
      <NoAnswer
        text={texts.failures.noAnswer}
        button={button}
        isBusy={isBusy}
        onRetry={() => void ask(true)}
      />
    )
  }
}
