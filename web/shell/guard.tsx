// Which pages need a person, and which need nobody (spec §2). Decides only what is shown; the server decides what is allowed.
import { Navigate, Outlet, useLocation } from 'react-router'
import type { ReturnState } from '../accounts/return-path.ts'
import { returnPathIn } from '../accounts/return-path.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { Checking } from './checking.tsx'

/** Signed out: to /login, which is told the way back. */
export function SignedInOnly() {
  const { isChecking, status, failure } = useViewer()
  const { pathname, search } = useLocation()
  if (status) return <Outlet />
  if (isChecking || failure) return <Checking />
  const from = returnPathIn({ from: pathname + search })
  return <Navigate to="/login" replace state={from ? ({ from } satisfies ReturnState) : null} />
}

/** Signed in: to /dashboard. */
export function SignedOutOnly() {
  const { isChecking, status } = useViewer()
  if (isChecking) return <Checking />
  return status ? <Navigate to="/dashboard" replace /> : <Outlet />
}
