// Where programs that follow a blog find its feeds, in the head of its pages.
import { useApi } from '../api/api-context.tsx'

const FORMATS = [
  ['xml', 'application/atom+xml'],
  ['json', 'application/feed+json'],
] as const

type FeedLinksProps = {
  /** The path of the page that the feeds are of; empty for those of all posts. */
  of: string
  title: string
}

/** Beside the feeds of all posts, which are in every head. */
export function FeedAlternates(props: FeedLinksProps) {
  const { settings } = useApi()
  return settings.reading === 'members' ? null : <FeedLinks {...props} />
}

export function FeedLinks({ of, title }: FeedLinksProps) {
  return FORMATS.map(([end, type]) => (
    <link key={end} rel="alternate" type={type} href={feedPath(of, end)} title={title} />
  ))
}

export function feedPath(of: string, end: 'xml' | 'json' = 'xml'): string {
  return `${of}/feed.${end}`
}
