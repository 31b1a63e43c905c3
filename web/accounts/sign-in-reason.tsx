// The parts of the sign-in form that say why it is shown (the session ended, a page needs a
// sign-in, another page or Google redirected here), and the link back without signing in
// (product.md §2.2).
import {
  BookOpen,
  Heart,
  LayoutDashboard,
  LogIn,
  type LucideIcon,
  MessageSquare,
  PenLine,
  Settings,
} from 'lucide-react'
import type { MouseEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Link } from '../ui/link.tsx'
import { useHistoryState } from '../ui/use-is-hydrated.ts'
import { CardNotice } from './account-card.tsx'
import { useQueryOnce } from './emailed-links.tsx'
import { backPathIn, hasSessionEndedIn, isPost, pageOf, requestedPathOf } from './return-path.ts'
import { useViewer } from './viewer.tsx'

type Reason = { title: string; text: string; Icon: LucideIcon }

const { signInPurposes, failures, googleFailures } = texts
const WRITING: Reason = { ...signInPurposes.writing, Icon: PenLine }
const LIST: Reason = { ...signInPurposes.list, Icon: BookOpen }
const BY_PAGE: Record<string, Reason> = {
  post: LIST,
  author: LIST,
  tag: LIST,
  search: LIST,
  'add-post': WRITING,
  'edit-post': WRITING,
  dashboard: { ...signInPurposes.dashboard, Icon: LayoutDashboard },
  settings: { ...signInPurposes.settings, Icon: Settings },
}
const PAGE_NAMES: Record<string, string> = {
  post: texts.places.allPosts,
  'add-post': texts.places.newPost,
  'edit-post': texts.editPost.title,
  dashboard: texts.places.dashboard,
  settings: texts.places.settings,
}
const LIKING: Reason = { ...signInPurposes.like, Icon: Heart }
const COMMENTING: Reason = { ...signInPurposes.comment, Icon: MessageSquare }

/** Why the requested page needs a sign-in; omitted if a notice above the form gives a reason. */
export function SignInPurpose() {
  const { wasSignedOut } = useViewer()
  const { search } = useLocation()
  const state = useHistoryState()
  const path = requestedPathOf({ state, search })
  if (path && hasSessionEndedIn(state)) return <SessionEndedNotice path={path} />
  const reason = path && (isPost(path) ? postReason(path) : BY_PAGE[pageOf(path)])
  if (!reason || wasSignedOut) return null
  const { title, text, Icon } = reason
  return (
    <CardNotice Icon={Icon} role="status">
      <b>{title}</b>
      {text}
    </CardNotice>
  )
}

/** On a post, visitors sign in to like it or to comment. */
function postReason(path: string): Reason {
  return path.endsWith('#comments') ? COMMENTING : LIKING
}

/** Says that the session ended on that page, and that signing in leads back to it. */
function SessionEndedNotice({ path }: { path: string }) {
  const { title, back, textStored } = texts.sessionEnded
  const page = pageOf(path)
  const name = isPost(path) ? texts.sessionEnded.post : PAGE_NAMES[page]
  return (
    <CardNotice Icon={LogIn} role="status">
      <b>{title}</b>
      {name && back(name)} {page.endsWith('-post') && textStored}
    </CardNotice>
  )
}

export function BackToPostLink() {
  const navigate = useNavigate()
  const path = backPathIn(useHistoryState())
  if (!path) return null
  /** Goes back in the history to the post, the previous entry, unless the app was loaded here. */
  function handleClick(event: MouseEvent) {
    const isFirst = !window.history.state?.idx
    if (isFirst || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void navigate(-1)
  }
  return (
    <Link className="link account-card__link" to={path} replace onClick={handleClick}>
      {texts.signInPurposes.back}
    </Link>
  )
}

/** The reason that a page puts into the history state when it redirects to /login. */
export type SignInReason = 'google-not-confirmed' | 'password-changed'

const REASONS: Record<SignInReason, { kind: 'ok' | 'error'; text: string }> = {
  'google-not-confirmed': { kind: 'error', text: texts.googleFailures.notConfirmed },
  'password-changed': { kind: 'ok', text: texts.passwordChanged },
}

export function SignInNotice() {
  const { wasSignedOut } = useViewer()
  const state = useHistoryState()
  // Other parameters, such as `next`, stay.
  const googleFailure = useQueryOnce(googleFailureIn, 'error')
  if (googleFailure) return <Alert kind="error">{googleFailure}</Alert>
  const reason: unknown = Reflect.get(Object(state), 'reason')
  if (typeof reason === 'string' && Object.hasOwn(REASONS, reason)) {
    const { kind, text } = REASONS[reason as SignInReason]
    return <Alert kind={kind}>{text}</Alert>
  }
  // `SignInPurpose` says that the session has ended, and names the page.
  if (hasSessionEndedIn(state)) return null
  if (wasSignedOut) return <Alert kind="warn">{texts.failures.signedOut}</Alert>
  return null
}

/** The text for each error type. */
const GOOGLE_FAILURES: Record<string, string> = {
  user_oauth2_provider_error: googleFailures.notConfirmed,
  user_oauth2_bad_request: googleFailures.tookTooLong,
  user_blocked: googleFailures.blocked,
  user_already_exists: googleFailures.exists,
  user_email_already_exists: googleFailures.exists,
  user_email_not_verified: googleFailures.notVerified,
  user_count_exceeded: googleFailures.closed,
  user_auth_method_unsupported: googleFailures.closed,
  project_provider_disabled: googleFailures.switchedOff,
  general_rate_limit_exceeded: failures.tooManyTries,
}

/**
 * The text for a failed Google sign-in. Anybody can make up such a URL, so a message in it is never
 * shown, only our texts.
 *
 * @param search the query of /login; its `error` is JSON with a refusal's `type` (api.md §2.4)
 * @returns undefined if there is no `error`
 */
export function googleFailureIn(search: string): string | undefined {
  const error = new URLSearchParams(search).get('error')
  if (error === null) return undefined
  const type = typeIn(error)
  return type !== undefined && Object.hasOwn(GOOGLE_FAILURES, type)
    ? GOOGLE_FAILURES[type]
    : googleFailures.other
}

function typeIn(text: string): string | undefined {
  try {
    const type: unknown = Reflect.get(Object(JSON.parse(text)), 'type')
    return typeof type === 'string' ? type : undefined
  } catch {
    return undefined
  }
}
