// An own like on its way, against what the server tells meanwhile of the post: answers and news
// come by different ways, and may overtake each other.

type Likes = { like: number; likeId: string[] }

/** The viewer's last press. */
export type OwnLike = {
  viewerId: string
  isLiked: boolean
  /** The server has answered it. */
  isAnswered: boolean
  /** Something told since it was pressed has it in it already. */
  isSeen: boolean
}

export function likesOfOthers({ like, likeId }: Likes, viewerId: string | undefined): number {
  return like - Number(viewerId !== undefined && likeId.includes(viewerId))
}

/**
 * Whether news may be from before the viewer's own press, which the server has answered already.
 * Notes in `own` when the press is in the news.
 */
export function isOlder({ likeId }: Likes, own: OwnLike | undefined): boolean {
  if (!own) return false
  if (likeId.includes(own.viewerId) === own.isLiked) {
    own.isSeen = true
    return false
  }
  return own.isAnswered && !own.isSeen
}
