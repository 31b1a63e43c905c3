// What the feed shows without cards: a skeleton while loading, an empty page, a failure.

import { Pencil } from 'lucide-react'
import { Link } from 'react-router'
import { LoadFailure } from '../api/load-failure.tsx'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'

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

export function FailedFeed({ onRetry }: { onRetry: () => void }) {
  return <LoadFailure isPart text={texts.feed.failed} onRetry={onRetry} />
}
