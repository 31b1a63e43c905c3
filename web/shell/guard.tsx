// The guards of pages for signed-in and for signed-out users (product.md §2). They decide only what
// the screen shows; the server decides what is allowed.
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

/** Redirects visitors to /login, with the page to return to. */
export function SignedInOnly() {
  const { isChecking, status, failure, wasSignedOut } = useViewer()
  const isForm = useMatches().some(({ handle }) => (handle as RouteHandle | undefined)?.isForm)
  const { pathname, search } = useLocation()
  /** The last path at which the viewer was signed in. */
  const [lastPath, setLastPath] = useState<string | undefined>()
  useEffect(() => {
    if (status) setLastPath(pathname)
  }, [status, pathname])
  if (status) return <Outlet />
  if (isChecking || failure) return <Checking />
  // A form stays on the screen with its text, and itself says that the session has ended.
  if (wasSignedOut) return isForm && lastPath === pathname ? <Outlet /> : <SessionEnded />
  const from = requestedPathIn({ from: pathname + search })
  // A user who signs out on this page does not want to return to it.
  const hasLeft = lastPath !== undefined
  return (
    <Redirecting to="/login" state={from && !hasLeft ? { from, back: findLastReadPost() } : null} />
  )
}

/** Pages for everybody, which show each viewer what they may read. */
export function ForEverybody() {
  const { isChecking, failure, userData } = useViewer()
  const { pathname, search } = useLocation()
  if (!userData && (isChecking || failure)) return <Checking />
  // Another viewer or address resets the page's state.
  return <Outlet key={`${userData?.$id} ${pathname}${search}`} />
}

/** Shown while the viewer is unknown, and when the check has failed. */
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
 * Moves the path of the page that a guest requested out of the address, where the server puts it,
 * and into the history state, where the guard puts it.
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

/** Redirects, with a title for the browser's tab until the next page is loaded. */
function Redirecting({ to, state }: { to: string; state: ReturnState | null }) {
  return (
    <>
      <PageTitle screen={texts.loading.screen} />
      <Navigate to={to} replace state={state} />
    </>
  )
}

/** The `handle` of a route. */
export type RouteHandle = {
  /** For signed-in users. */
  isGuarded?: true
  /** For visitors who are not signed in. */
  isForVisitors?: true
  /** For operators; 404 for everybody else. */
  isForOperators?: true
  /** Complete without the app: a visitor's browser loads it only at the first interaction. */
  waitsForInteraction?: true
  /** How much of the page works without scripts; nothing if undefined. */
  withoutScripts?: 'all' | 'reading'
  /** Search engines may index it; the page itself decides in each case. */
  isIndexed?: true
  /** Has a header with only name and theme, and no bottom bar: the blog is not set up yet. */
  isBare?: true
  /** Has a form whose text stays on the screen when the session ends. */
  isForm?: true
}
