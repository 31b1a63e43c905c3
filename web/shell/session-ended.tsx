// The screen in place of a page whose session has ended: it says what happened, how many drafts are
// stored, and how to return.
import { LogIn } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { type ReturnState, requestedPathIn } from '../accounts/return-path.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { draftStore } from '../drafts/draft-store.ts'
import { useLoaded } from '../lists/use-loaded.ts'
import { texts } from '../locales/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { MessageScreen } from '../ui/screens.tsx'

const { sessionEnded } = texts

/** The history state for /login that makes signing in return to this page. */
function useReturnState(): ReturnState | null {
  const { pathname, search } = useLocation()
  const from = requestedPathIn({ from: pathname + search })
  return from ? { from, hasSessionEnded: true } : null
}

export function SessionEnded() {
  const { signedOutUser } = useViewer()
  const { pathname } = useLocation()
  const state = useReturnState()
  const userId = signedOutUser?.$id
  /** The user's drafts on this device. */
  const loadedDrafts = useLoaded(userId, () => draftStore.listAll(userId ?? ''))
  const draftCount = loadedDrafts.value?.length ?? 0
  useEffect(() => {
    const title = document.querySelector<HTMLElement>('main h1')
    if (!title) return
    title.tabIndex = -1
    title.focus({ preventScroll: true })
  }, [])
  return (
    <MessageScreen
      screen={sessionEnded.title}
      art="lit"
      title={sessionEnded.title}
      isAlert
      actions={
        <>
          <ButtonLink kind="primary" to="/login" state={state}>
            <LogIn className="icon flip-in-rtl" aria-hidden="true" />
            {sessionEnded.signIn}
          </ButtonLink>
          {pathname !== '/post' && <ButtonLink to="/post">{texts.places.allPosts}</ButtonLink>}
        </>
      }
    >
      <p>
        {sessionEnded.text}{' '}
        {draftCount > 0 &&
          sessionEnded.drafts(draftCount, <bdi>{signedOutUser?.name || signedOutUser?.email}</bdi>)}
      </p>
    </MessageScreen>
  )
}

/** The same message on a public page, which stays on the screen. */
export function SessionEndedStrip() {
  const { wasSignedOut } = useViewer()
  const state = useReturnState()
  return (
    <div role="alert" className={wasSignedOut ? 'strip' : undefined}>
      {wasSignedOut && (
        <div className="container strip__inner">
          <LogIn className="icon flip-in-rtl" aria-hidden="true" />
          <b>{sessionEnded.notice}</b>
          <Link className="target link" to="/login" state={state}>
            {sessionEnded.signIn}
          </Link>
        </div>
      )}
    </div>
  )
}
