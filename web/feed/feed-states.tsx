// What the feed shows without cards: a skeleton while loading, an empty page, a failure.

import { Pencil, RotateCw } from 'lucide-react'
import { Link } from 'react-router'
import { OfflineScreen } from '../api/offline-screen.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { useIsOnline, useWhenOnline } from '../ui/use-online.ts'

function CardSkeleton() {
  return (
    <div className="card">
      <div className="card__media skeleton skeleton--square" />
      <div className="card__body">
        <div className="skeleton skeleton--line skeleton--86-percent" />
        <div className="skeleton skeleton--line skeleton--52-percent" />
        <div className="byline">
          <div className="skeleton skeleton--circle" />
          <div className="skeleton skeleton--small skeleton--9-rem" />
        </div>
        <div className="card__footer">
          <div className="skeleton skeleton--small skeleton--8-rem" />
          <div className="skeleton skeleton--small skeleton--3-rem" />
        </div>
      </div>
    </div>
  )
}

/** Four cards without text; the text is beside the title. */
export function FeedSkeleton() {
  return (
    <ul className="card-grid" aria-hidden="true">
      {['lead', 'a', 'b', 'c'].map((name) => (
        <li key={name} className={name === 'lead' ? 'lead' : undefined}>
          <CardSkeleton />
        </li>
      ))}
    </ul>
  )
}

export function EmptyFeed() {
  return (
    <MessageScreen
      art="lit"
      title={texts.emptyFeed.title}
      titleLevel={2}
      actions={
        <Link className={buttonClass('primary')} to="/add-post">
          <Pencil className="icon" aria-hidden="true" />
          {texts.emptyFeed.write}
        </Link>
      }
    >
      <p>{texts.emptyFeed.text}</p>
    </MessageScreen>
  )
}

/** Tries again by itself when the network is back. */
export function FailedFeed({ onRetry }: { onRetry: () => void }) {
  const isOnline = useIsOnline()
  useWhenOnline(onRetry)
  if (!isOnline) return <OfflineScreen isPart />
  return (
    <MessageScreen
      art="off"
      title={texts.failures.titleAgain}
      titleLevel={2}
      isCalm
      isAlert
      actions={
        <Button kind="primary" onClick={onRetry}>
          <RotateCw className="icon" aria-hidden="true" />
          {texts.actions.tryAgain}
        </Button>
      }
    >
      <p>{texts.feed.failed}</p>
    </MessageScreen>
  )
}
