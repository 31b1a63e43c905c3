// Which pages need a signed-in person, and which a signed-out one (product.md §2). Decides only
// what is shown; the server decides what is allowed.
import { useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation, useMatches, useNavigate } from 'react-router'
import {
  findLastReadPost,
  type ReturnState,
  requestedPathIn,
  requestedPathOf,
} from '../accounts/return-path.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { LoadFailure } from '../api/load-failure.tsx'
import { texts } from '../locales/texts.ts'
import { PageLoading, PageTitle } from '../ui/screens.tsx'
import { SessionEnded } from './session-ended.tsx'

/** Redirects to /login when signed out, with the way back. */
export function SignedInOnly() {
  const { isChecking, status, failure, wasSignedOut } = useViewer()
  const isForm = useMatches().some(({ handle }) => (handle as RouteHandle | undefined)?.isForm)
  const { pathname, search } = useLocation()
  /** The last path at which the viewer was signed in. */
  const [wasAt, setWasAt] = useState<string | undefined>()
  useEffect(() => {
    if (status) setWasAt(pathname)
  }, [status, pathname])
  if (status) return <Outlet />
  if (isChecking || failure) return <Checking />
  // What is in a form stays there: it says itself what happened.
  if (wasSignedOut) return isForm && wasAt === pathname ? <Outlet /> : <SessionEnded />
  const from = requestedPathIn({ from: pathname + search })
  // A user who signs out here asks for no page.
  const hasLeft = wasAt !== undefined
  return (
    <Redirecting to="/login" state={from && !hasLeft ? { from, back: findLastReadPost() } : null} />
  )
}

/** Pages for everybody, which show each person what they may read. */
export function ForEverybody() {
  const { isChecking, failure, userData } = useViewer()
  const { pathname, search } = useLocation()
  if (!userData && (isChecking || failure)) return <Checking />
  // Another viewer and another address begin anew.
  return <Outlet key={`${userData?.$id} ${pathname}${search}`} />
}

/** While it is not known who the viewer is, and when that could not be found out. */
export function Checking() {
  const { failure, refresh } = useViewer()
  return failure ? (
    <LoadFailure text={texts.checking.failed} onRetry={() => void refresh()} />
  ) : (
    <PageLoading />
  )
}

/** Redirects to /dashboard when signed in. */
export function SignedOutOnly() {
  const { isChecking, status } = useViewer()
  useNextFromAddress()
  if (isChecking) return <Checking />
  return status ? <Redirecting to="/dashboard" state={null} /> : <Outlet />
}

/**
 * Moves the page that a guest asked for from the address, where the server puts it, into the
 * history state, where the guard puts it.
 */
function useNextFromAddress(): void {
  const location = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    const { pathname, search } = location
    const values = new URLSearchParams(search)
    if (!values.has('next')) return
    values.delete('next')
    const rest = values.size > 0 ? `?${values}` : ''
    const from = requestedPathOf(location)
    const state: ReturnState | null = from ? { from, back: findLastReadPost() } : null
    void navigate({ pathname, search: rest }, { replace: true, state })
  }, [location, navigate])
}

/** Keeps a title in the browser's tab until the next page is there. */
function Redirecting({ to, state }: { to: string; state: ReturnState | null }) {
  return (
    <>
      <PageTitle screen={texts.waiting.screen} />
      <Navigate to={to} replace state={state} />
    </>
  )
}

/** The `handle` of a route. */
export type RouteHandle = {
  /** For signed-in people. */
  isGuarded?: true
  /** For signed-out people. */
  isForVisitors?: true
  /** For operators; nothing is there for anybody else. */
  isForOperators?: true
  /** Whole without the app: a visitor's browser loads it only when they reach for a control. */
  waitsForInteraction?: true
  /** What of the page is there without scripts; nothing when it does not say. */
  withoutScripts?: 'all' | 'reading'
  /** Search engines may list it; whether they do, the page itself decides for each case. */
  isIndexed?: true
  /** Has a header with name and theme alone, and no bottom bar: there is no blog yet. */
  isBare?: true
  /** A text is written here: it stays on screen when the session ends. */
  isForm?: true
}
