// Tags of a post or of the blog, as links. The style sheet adds the "#", which is not part of a
// tag's name.
import { tagPath } from '#contract/plain-text.ts'
import { Link } from '../ui/link.tsx'

type TagListProps = {
  tags: readonly string[]
  /** For screen readers. */
  label: string
}

export function TagList({ tags, label }: TagListProps) {
  if (tags.length === 0) return null
  return (
    <ul className="row tags" aria-label={label}>
      {tags.map((tag) => (
        <li key={tag}>
          <Link className="target quiet tag" to={tagPath(tag)}>
            <span>
              <bdi>{tag}</bdi>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
