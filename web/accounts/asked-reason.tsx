// On the sign-in form: why one signs in to see what one asked for, and the way back without it
// (product.md §2.2).
import {
  BookOpen,
  Heart,
  LayoutDashboard,
  LogIn,
  type LucideIcon,
  PenLine,
  Settings,
} from 'lucide-react'
import type { MouseEvent } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { texts } from '../locales/texts.ts'
import { useHistoryState } from '../ui/use-history-state.ts'
import { askedPathOf, isAgainIn, isPost, pageOf, wayBackIn } from './return-path.ts'
import { useViewer } from './viewer.tsx'

type Reason = { title: string; text: string; Icon: LucideIcon }

const { askedFor } = texts
const WRITING: Reason = { ...askedFor.writing, Icon: PenLine }
const LIST: Reason = { ...askedFor.list, Icon: BookOpen }
const BY_PAGE: Record<string, Reason> = {
  ...{ post: LIST, author: LIST, tag: LIST, search: LIST },
  'add-post': WRITING,
  'edit-post': WRITING,
  dashboard: { ...askedFor.dashboard, Icon: LayoutDashboard },
  settings: { ...askedFor.settings, Icon: Settings },
}
const PAGE_NAMES: Record<string, string> = {
  post: texts.places.allPosts,
  'add-post': texts.places.newPost,
  'edit-post': texts.editPost.title,
  dashboard: texts.places.dashboard,
  settings: texts.places.settings,
}
const LIKING: Reason = { ...askedFor.like, Icon: Heart }

/** Left out when there is another reason to be here, which is said above the form. */
export function AskedReason() {
  const { wasSignedOut } = useViewer()
  const { search } = useLocation()
  const state = useHistoryState()
  const path = askedPathOf({ state, search })
  if (path && isAgainIn(state)) return <EndedThere path={path} />
  const reason = path && (isPost(path) ? LIKING : BY_PAGE[pageOf(path)])
  if (!reason || wasSignedOut) return null
  const { title, text, Icon } = reason
  return (
    <div className="account-card__notice" role="status">
      <Icon className="icon" aria-hidden="true" />
      <p>
        <b>{title}</b>
        {text}
      </p>
    </div>
  )
}

/** The session ended on that page: signing in leads back to it. */
function EndedThere({ path }: { path: string }) {
  const { title, back, kept } = texts.sessionEnded
  const page = pageOf(path)
  const name = isPost(path) ? texts.sessionEnded.post : PAGE_NAMES[page]
  return (
    <div className="account-card__notice" role="status">
      <LogIn className="icon" aria-hidden="true" />
      <p>
        <b>{title}</b>
        {name && back(name)} {page.endsWith('-post') && kept}
      </p>
    </div>
  )
}

export function WayBack() {
  const navigate = useNavigate()
  const path = wayBackIn(useHistoryState())
  if (!path) return null
  /** The post is the entry before, unless the app began here: "Back" there goes on from it. */
  function handleClick(event: MouseEvent) {
    const isFirst = !window.history.state?.idx
    if (isFirst || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void navigate(-1)
  }
  return (
    <Link className="link account-card__link" to={path} replace onClick={handleClick}>
      {texts.askedFor.back}
    </Link>
  )
}
