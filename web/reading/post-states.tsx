// Screens in place of a post: loading, not found, another author's; and the "Back" button.
import { ArrowLeft } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { getAccount } from '../accounts/accounts-api.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Api, type Failure, fail, type Result, useApi } from '../api/client.ts'
import { useLoaded } from '../lists/use-loaded.ts'
import { texts } from '../locales/texts.ts'
import { causeOf } from '../posts/failure-cause.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { LoadingText, MessageScreen, PageTitle } from '../ui/screens.tsx'
import './post-sheets.css'

export function PostLoading() {
  return (
    <>
      <PageTitle screen={texts.post.screen} />
      <h1 className="visually-hidden">{texts.post.screen}</h1>
      <div className="apart post-toolbar">
        <BackButton />
        <LoadingText>{texts.loading.post}</LoadingText>
      </div>
      <div aria-hidden="true">
        <div className="featured-image skeleton" />
        <div className="post">
          <div className="skeleton skeleton--title" />
          <div className="post-meta">
            <div className="skeleton skeleton--avatar" />
            <div className="skeleton__lines">
              <div className="skeleton skeleton--small" style={{ inlineSize: '9rem' }} />
              <div className="skeleton skeleton--small" style={{ inlineSize: '15rem' }} />
            </div>
          </div>
          <div className="skeleton__text">
            <div className="skeleton skeleton--line" />
            <div className="skeleton skeleton--line" style={{ inlineSize: '96%' }} />
            <div className="skeleton skeleton--line" />
            <div className="skeleton skeleton--line" style={{ inlineSize: '62%' }} />
          </div>
        </div>
      </div>
    </>
  )
}

export function PostNotFound() {
  const { title, text } = texts.missingPost
  return <NoPost screen={texts.places.notFound} title={title} text={text} />
}

/** For pages that only the author may open: does not show the text (product.md §O24). */
export function ForeignPost() {
  return <NoPost {...texts.foreignPost} />
}

type NoPostProps = { screen: string; title: string; text: string; art?: 'searching' | 'off' }

export function NoPost({ screen, title, text, art = 'searching' }: NoPostProps) {
  return (
    <MessageScreen
      screen={screen}
      art={art}
      title={title}
      actions={
        <ButtonLink kind="primary" to="/post">
          {texts.places.allPosts}
        </ButtonLink>
      }
    >
      <p>{text}</p>
    </MessageScreen>
  )
}

// "Back" returns to the previous page; on the first page of a visit it leads to all posts. Visitors
// who may not read those are sent to "home" instead, without its usual redirect to the sign-in
// form.

/** The router's key for the first page of a visit. */
const FIRST_PAGE_KEY = 'default'

/**
 * The button that is being pressed. The loading screen has a button of its own: if the post arrives
 * between press and release, the browser fires no click.
 */
let pressed: Element | undefined

function handleMouseDown({ currentTarget }: MouseEvent) {
  pressed = currentTarget
  const forget = () => {
    pressed = undefined
  }
  window.addEventListener('mouseup', forget, { once: true })
}

export function BackButton() {
  const navigate = useNavigate()
  const { settings } = useApi()
  const { status, isChecking } = useViewer()
  const isFirstPage = useLocation().key === FIRST_PAGE_KEY
  function handlePress() {
    if (!isFirstPage || (document.referrer && window.history.length > 1)) return navigate(-1)
    const mayRead = status || isChecking || settings.reading === 'everyone'
    return mayRead ? navigate('/post') : navigate('/', { state: { skipsRedirect: true } })
  }
  function handleMouseUp({ currentTarget }: MouseEvent) {
    if (pressed && pressed !== currentTarget) void handlePress()
  }
  return (
    <Button
      kind="ghost"
      onClick={() => void handlePress()}
      onMouseDown={handleMouseDown}
      onMouseUp={handleMouseUp}
    >
      <ArrowLeft className="icon flip-in-rtl" aria-hidden="true" />
      {texts.post.back}
    </Button>
  )
}

const FORBIDDEN: Failure = { message: '', code: 403, type: '' }

type OwnerDataOptions<Value> = {
  /** Identifies the loaded data: another key loads again. */
  key: string
  load: (api: Api) => Promise<Result<Value>>
  initial: Result<Value> | undefined
}

/**
 * Loads data that only their author may read.
 *
 * @returns failure 401 if the session has ended, 403 if the data belong to another author
 */
export function useOwnerData<Value>(
  userId: string,
  { key, load, initial }: OwnerDataOptions<Value>,
) {
  const api = useApi()
  const { refresh } = useViewer()
  async function loadOwn(): Promise<Result<Value>> {
    const result = await load(api)
    if (result.ok) return result
    // The server refuses guests and other authors alike. `causeOf` tells them apart, given a 404.
    const isRefused = result.failure.type === 'user_unauthorized'
    const failureAsNotFound = isRefused ? { ...result.failure, code: 404 } : result.failure
    const cause = await causeOf(failureAsNotFound, userId, () => getAccount(api))
    const failure = isRefused && cause === failureAsNotFound ? FORBIDDEN : cause
    // The session has ended or another user is signed in, and the page must show that.
    if (failure.code === 401) await refresh()
    return fail(failure)
  }
  const { value: result, retry } = useLoaded(`${userId} ${key}`, loadOwn, initial)
  return { result, retry }
}
