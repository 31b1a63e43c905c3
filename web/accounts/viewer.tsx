// The viewer: the authentication state of product.md §3 and the preferences, for the whole app.
// Independent of screens.
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Account, Prefs } from '#contract/accounts.ts'
import { roleOf } from '#contract/permissions.ts'
import { type Api, type Failure, failureOf, type Result } from '../api/client.ts'
import { snapshots } from '../api/history-snapshots.ts'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { changePrefs, getAccount } from './accounts-api.ts'
import { placeholderAccount } from './placeholder-account.ts'
import { useSessionWatch } from './use-session-watch.ts'

export type Viewer = {
  /**
   * It is not known yet who is signed in. True on the first render if the request carried a valid
   * session, but the page does not contain the account.
   */
  isChecking: boolean
  /** Signed in. */
  status: boolean
  userData: Account | null
  /**
   * False while a page that the server rendered for all members alike is hydrated: it must not show
   * `userData` yet.
   */
  isPersonalised: boolean
  /** Empty while signed out. */
  prefs: Prefs
  /** The user whose session ended without signing out here; else null. */
  signedOutUser: Account | null
  wasSignedOut: boolean
  /** How often another tab or device has changed the account. */
  remoteChangeCount: number
  /**
   * Why it is not known who is signed in (no network, a server error). undefined when the server
   * responded that the viewer is a guest.
   */
  failure: Failure | undefined
  /**
   * Checks again who is signed in. A 401 signs the page out: guarded pages say so, a form with
   * unsaved text stays.
   */
  refresh: () => Promise<Account | null>
  /** Merges changes into the stored preferences, one call after another. */
  savePrefs: (changes: Prefs) => Promise<Result<Account>>
  /** Takes over an account that was changed in another tab or on another device. */
  applyAccountChange: (account: Account) => void
  /** Takes over the account from the response to a call that changed it. */
  setAccount: (account: Account) => void
  /**
   * Ends all sessions of the user. Rethrows when the server refuses; then nothing has changed.
   */
  signOut: () => Promise<void>
  /** To be called after a call that ended the session: the viewer is a guest from now on. */
  setSignedOut: () => void
}

type State = Pick<
  Viewer,
  'isChecking' | 'userData' | 'signedOutUser' | 'failure' | 'remoteChangeCount'
>

type Actions = Omit<
  Viewer,
  keyof State | 'status' | 'isPersonalised' | 'wasSignedOut' | 'prefs'
> & {
  /** To be called when the session has ended without signing out here. */
  handleSessionEnded: () => void
}

const ViewerContext = createContext<Viewer | undefined>(undefined)

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext)
  if (!viewer) throw new Error('useViewer needs a ViewerProvider above it')
  return viewer
}

const NO_PREFS: Prefs = {}
const SIGNED_OUT = {
  isChecking: false,
  userData: null,
  signedOutUser: null,
  failure: undefined,
}

/** Use this only to decide what to show: the server checks the role at each request. */
export function isOperator(account: Pick<Account, 'labels'> | null | undefined): boolean {
  return account ? roleOf(account.labels) === 'operator' : false
}

type ViewerProviderProps = {
  api: Api
  /** The viewer for whom the server rendered the page, if it knew the account. */
  account: Account | undefined
  /** The server rendered the page for all members, not for `account` alone. */
  isShared: boolean
  children: ReactNode
}

export function ViewerProvider({ api, account, isShared, children }: ViewerProviderProps) {
  const [state, setState] = useState<State>({
    isChecking: api.settings.isSignedIn && !account,
    userData: account ?? null,
    signedOutUser: null,
    failure: undefined,
    remoteChangeCount: 0,
  })
  const runningChecks = useRef(0)
  const lastSave = useRef<Promise<unknown>>(Promise.resolve())

  const actions = useMemo((): Actions => {
    /** @param change returns undefined to change nothing */
    const patch = (change: (current: State) => Partial<State> | undefined) =>
      setState((current) => {
        const changed = change(current)
        return changed ? { ...current, ...changed } : current
      })
    return {
      async refresh() {
        runningChecks.current += 1
        const result = await getAccount(api).finally(() => {
          runningChecks.current -= 1
        })
        const account = result.ok ? result.value : null
        const failure = result.ok ? undefined : result.failure
        const isSignedOut = failure?.code === 401
        patch(({ userData, signedOutUser, remoteChangeCount }) => ({
          isChecking: false,
          // Without a response nothing is known: the account stays as it was.
          userData: account ?? (isSignedOut ? null : userData),
          signedOutUser: isSignedOut ? (userData ?? signedOutUser) : null,
          failure: isSignedOut ? undefined : failure,
          remoteChangeCount: remoteChangeCount + Number(isNewer(account, userData)),
        }))
        return account
      },
      applyAccountChange(account: Account) {
        // Waits for the running save, whose response may be newer than this event.
        void lastSave.current.then(() =>
          patch(({ userData, remoteChangeCount }) =>
            isNewer(account, userData)
              ? { userData: account, remoteChangeCount: remoteChangeCount + 1 }
              : undefined,
          ),
        )
      },
      handleSessionEnded: () =>
        patch(({ userData }) =>
          userData ? { userData: null, signedOutUser: userData, failure: undefined } : undefined,
        ),
      savePrefs(changes: Prefs) {
        const saved = lastSave.current.then(() => changePrefs(api, changes))
        lastSave.current = saved
        return saved.then((result) => {
          if (result.ok)
            patch(({ userData }) => (userData ? { userData: result.value } : undefined))
          return result
        })
      },
      setAccount: (account: Account) => patch(() => ({ userData: account })),
      setSignedOut: () => patch(() => SIGNED_OUT),
      async signOut() {
        try {
          await api.account.deleteSessions()
        } catch (error) {
          // The user has already signed out elsewhere: nothing is left to do.
          if (failureOf(error).code !== 401) throw error
        }
        patch(() => SIGNED_OUT)
      },
    }
  }, [api])
  const { refresh, handleSessionEnded } = actions

  useEffect(() => {
    if (api.settings.isSignedIn && !account) void refresh()
  }, [api, account, refresh])

  const userId = state.userData?.$id
  useSessionWatch({
    api,
    userId,
    isChecking: state.isChecking,
    runningChecks,
    refresh,
    handleSessionEnded,
  })
  useSnapshotClearing(state)

  const isPersonalised = useIsHydrated() || !isShared
  const viewer = useMemo<Viewer>(() => {
    const { userData } = state
    const shown = userData && !isPersonalised ? placeholderAccount(userData) : userData
    return {
      ...state,
      ...actions,
      userData: shown,
      isPersonalised,
      status: shown !== null,
      wasSignedOut: state.signedOutUser !== null,
      prefs: shown?.prefs ?? NO_PREFS,
    }
  }, [state, actions, isPersonalised])
  return <ViewerContext value={viewer}>{children}</ViewerContext>
}

/** Whether `account` is a newer state of the same account. */
function isNewer(account: Account | null, previous: Account | null): account is Account {
  return (
    account !== null &&
    account.$id === previous?.$id &&
    Date.parse(account.$updatedAt) > Date.parse(previous.$updatedAt)
  )
}

function useSnapshotClearing({ isChecking, userData, failure }: State): void {
  const userId = userData?.$id
  const owner = useRef(userId)
  const isSignedOut = !isChecking && !userId && !failure
  // Runs before the pages of the next viewer save their snapshots, which they do in later effects.
  useLayoutEffect(() => {
    const isOther = userId !== undefined && owner.current !== undefined && owner.current !== userId
    if (isSignedOut || isOther) snapshots.clear()
    if (userId) owner.current = userId
  }, [isSignedOut, userId])
}

/** Whether the signed-in person likes and comments, but writes no posts. */
export function useIsReader(): boolean {
  const { userData } = useViewer()
  return userData !== null && roleOf(userData.labels) === 'reader'
}
