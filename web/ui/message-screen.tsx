// One layout for every screen that is only a message: the lamp, a title, a sentence or two, one
// main action. Knows nothing of the product.
import type { ReactNode } from 'react'
import { LampArt, type LampState } from './lamp-art.tsx'
import { PageTitle } from './page-title.tsx'

type MessageScreenProps = {
  /** In the title of the tab; undefined when something else on the page says it. */
  screen?: string
  art: LampState
  title: ReactNode
  /** 2 when the page has a title of its own above. */
  titleLevel?: 1 | 2
  /** Below the head of a page, which says more than a title. */
  isPart?: boolean
  /** A title that is a sentence rather than a name is set smaller. */
  isCalm?: boolean
  /** Announced at once. */
  isAlert?: boolean
  children?: ReactNode
  /** What is going on meanwhile. */
  status?: ReactNode
  /** Buttons and links, the main one first. */
  actions?: ReactNode
  /** Small print under the actions. */
  foot?: ReactNode
}

export function MessageScreen({
  screen,
  art,
  title,
  titleLevel = 1,
  isPart = false,
  isCalm = false,
  isAlert = false,
  children,
  status,
  actions,
  foot,
}: MessageScreenProps) {
  const className = isPart ? 'message-screen message-screen--part' : 'message-screen'
  const Title = titleLevel === 1 ? 'h1' : 'h2'
  return (
    <div className={className} role={isAlert ? 'alert' : undefined}>
      {screen && <PageTitle screen={screen} />}
      <LampArt state={art} />
      <Title className={isCalm ? 'is-small' : undefined}>{title}</Title>
      {children}
      {status}
      {actions && <div className="row">{actions}</div>}
      {foot && <p className="request-id">{foot}</p>}
    </div>
  )
}
