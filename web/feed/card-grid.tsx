// Posts as cards. The first one may lead: wide on wide screens, with the beginning of its text.
import type { Ref } from 'react'
import { PostCard } from '../posts/post-card.tsx'
import type { PostSummary } from '../posts/posts-api.ts'

type CardGridProps = {
  posts: PostSummary[]
  hasLead?: boolean
  /** Of the post that leads. */
  excerpt?: string | undefined
  /** Of the titles among the headings of the page. */
  titleLevel?: 2 | 3
  ref?: Ref<HTMLUListElement>
}

export function CardGrid({ posts, hasLead = false, excerpt, titleLevel, ref }: CardGridProps) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: without bullets some readers no longer call it a list
    <ul className="card-grid" role="list" ref={ref}>
      {posts.map((post, index) => {
        const isLead = index === 0 && hasLead
        return (
          <li key={post.$id} className={isLead ? 'lead' : undefined}>
            <PostCard
              post={post}
              isLead={isLead}
              excerpt={isLead ? excerpt : undefined}
              titleLevel={titleLevel}
            />
          </li>
        )
      })}
    </ul>
  )
}
