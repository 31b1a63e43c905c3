// How many people like a post, where it can only be read: a heart and a number.
import { Heart } from 'lucide-react'
import { compactLikes, spokenLikes } from './like-count.ts'

export function LikeStat({ like }: { like: number }) {
  return (
    <span className="stat">
      <Heart className="icon icon--small" aria-hidden="true" />
      <span aria-hidden="true">{compactLikes(like)}</span>
      <span className="visually-hidden">{spokenLikes(like)}</span>
    </span>
  )
}
