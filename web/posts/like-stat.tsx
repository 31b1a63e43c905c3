// Facts about a post in lists: the number of its likes beside a heart, and its status.
import { Heart, type LucideIcon } from 'lucide-react'
import { texts } from '../locales/texts.ts'

type StatProps = { Icon: LucideIcon; value: string | number; spoken: string }

/** A number with its icon; screen readers hear what it counts. */
export function Stat({ Icon, value, spoken }: StatProps) {
  return (
    <span className="stat">
      <Icon className="icon icon--small" aria-hidden="true" />
      <span aria-hidden="true">{value}</span>
      <span className="visually-hidden">{spoken}</span>
    </span>
  )
}

export function LikeStat({ like }: { like: number }) {
  return <Stat Icon={Heart} value={compactLikes(like)} spoken={spokenLikes(like)} />
}

// The number of likes as text: short on the screen, in full for screen readers. It is in the
// language of the page, so that server and browser render the same text.

const compact = new Intl.NumberFormat(texts.language, {
  notation: 'compact',
  maximumFractionDigits: 1,
})
const exact = new Intl.NumberFormat(texts.language)

/** 0, 128, 12.8K. */
export function compactLikes(like: number): string {
  return compact.format(like)
}

/** "1 like", "12,846 likes". */
export function spokenLikes(like: number): string {
  return texts.likes.count(like, exact.format(like))
}

export function statusText(status: string): string {
  return texts.statuses[status === 'active' ? 'active' : 'inactive']
}
