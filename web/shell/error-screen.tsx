// The router's error screen (product.md §8, product.md §O40). Shows the status line, never the text
// of the error.
import { RotateCw } from 'lucide-react'
import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  isRouteErrorResponse,
  useLocation,
  useNavigate,
  useNavigation,
  useRouteError,
} from 'react-router'
import { failureOf, useApi } from '../api/client.ts'
import { LoadFailure } from '../api/load-failure.tsx'
import { lastRefusedRequestId } from '../api/response-metadata.ts'
import { texts } from '../locales/texts.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { MessageScreen } from '../ui/screens.tsx'
import { reloadIfOutdated } from './lazy-page.tsx'

/** Whether an error screen is inside the shell. */
export const IsInShellContext = createContext(false)

export function ErrorScreen() {
  const error = useRouteError()
  const isInShell = useContext(IsInShellContext)
  return isInShell && hasFlag(error, 'hasNoResponse') ? (
    <NoResponse error={error} />
  ) : (
    <Failed error={error} />
  )
}

/** Shown if data or code of a page did not load. Retries on a press, or when online again. */
function NoResponse({ error }: { error: unknown }) {
  const { pathname, search, hash, state } = useLocation()
  const navigate = useNavigate()
  const { state: navigationState } = useNavigation()
  const isPressedRetry = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (hasFlag(error, 'isCode')) void reloadIfOutdated(isPressedRetry.current)
    isPressedRetry.current = false
  }, [error])
  // The button disappears with the failure: its focus moves to the page.
  useLayoutEffect(() => {
    const pressed = button.current
    return () => {
      if (document.activeElement === pressed)
        document.querySelector('main')?.focus({ preventScroll: true })
    }
  }, [])
  function retry(isPressed: boolean) {
    isPressedRetry.current = isPressed
    // Revalidating is not enough: a rendering error stays until the location changes.
    void navigate({ pathname, search, hash }, { replace: true, state, preventScrollReset: true })
  }
  return (
    <LoadFailure
      text={texts.failures.noAnswer}
      button={button}
      isBusy={navigationState !== 'idle'}
      onRetry={retry}
    />
  )
}

function sentenceOf(error: unknown, status: number): (statusLine: string) => string {
  const { missing, refused, text } = texts.errorScreen
  if (!isRouteErrorResponse(error)) return text
  if (status === 404) return missing
  return status === 400 || status === 405 ? refused[status] : text
}

function Failed({ error }: { error: unknown }) {
  const { settings } = useApi()
  const status = errorStatusOf(error)
  const [failedAt] = useState(() => new Date().toISOString().slice(0, 19).replace('T', ' '))
  const requestId = settings.requestId ?? lastRefusedRequestId()
  const isInShell = useContext(IsInShellContext)
  const screen = (
    <MessageScreen
      screen={statusLineOf(status)}
      art="off"
      title={texts.errorScreen.title}
      isAlert
      actions={
        <>
          <Button kind="primary" onClick={() => window.location.reload()} Icon={RotateCw}>
            {texts.errorScreen.reload}
          </Button>
          {/* Loads a new document: the failed app cannot be trusted to navigate. */}
          <a className={buttonClass('secondary')} href="/post">
            {texts.places.allPosts}
          </a>
        </>
      }
      // Identifies the entry in the server's log.
      foot={
        <>
          {requestId && <>{texts.errorScreen.request(<bdi>{requestId}</bdi>)} · </>}
          {texts.errorScreen.at(failedAt)}
        </>
      }
    >
      <p>{sentenceOf(error, status)(statusLineOf(status))}</p>
    </MessageScreen>
  )
  return isInShell ? screen : <main className="container">{screen}</main>
}

const STATUS_LINES: Record<number, string> = texts.statusLines

/** The status of a thrown response or of a refused call; undefined for a bug. */
export function findStatus(error: unknown): number | undefined {
  if (isRouteErrorResponse(error)) return error.status
  return statusOfData(error) ?? (failureOf(error).code || undefined)
}

/** `hasNoResponse`: a request got no response; `isCode`: the request was for a page's code. */
function hasFlag(error: unknown, name: 'hasNoResponse' | 'isCode'): boolean {
  const errorData = isRouteErrorResponse(error) ? error.data : Reflect.get(Object(error), 'data')
  return Reflect.get(Object(errorData), name) === true
}

/** The status of a `data()` response, which the router does not unwrap if a promise threw it. */
function statusOfData(error: unknown): number | undefined {
  const init: ResponseInit | null | undefined = Reflect.get(Object(error), 'init')
  return init?.status
}

/** The HTTP status of an error; 500 for a bug. */
export function errorStatusOf(error: unknown): number {
  return findStatus(error) ?? 500
}

export function statusLineOf(status: number): string {
  return STATUS_LINES[status] ?? texts.unknownStatus
}
