// What pages left behind for "Back" belongs to one person: it goes with them.
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Account } from '#contract/accounts.ts'
import { snapshots } from '../ui/history-snapshots.ts'

type Known = { isChecking: boolean; userData: Account | null; failure: unknown }

export function useSnapshotsOf({ isChecking, userData, failure }: Known): void {
  const owner = useRef(userData?.$id)
  const userId = userData?.$id
  const isSignedOut = !isChecking && !userId && !failure
  const hasStarted = useRef(false)
  // At the start before the pages of a visitor keep theirs, which they do in effects.
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the start alone
  useLayoutEffect(() => {
    if (isSignedOut) snapshots.clear()
  }, [])
  useEffect(() => {
    const isLater = hasStarted.current
    hasStarted.current = true
    const isOther = userId !== undefined && owner.current !== undefined && owner.current !== userId
    if (isLater && (isSignedOut || isOther)) snapshots.clear()
    if (userId) owner.current = userId
  }, [isSignedOut, userId])
}
