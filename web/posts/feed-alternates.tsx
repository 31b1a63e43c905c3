// Where programs that follow a blog find its feeds, in the head of its pages.
import { useApi } from '../api/api-context.tsx'

export const FEED_FORMATS = [
  ['xml', 'application/atom+xml'],
  ['json', 'application/feed+json'],
] as const

type FeedAlternatesProps = {
  /** The path of the page that the feeds are of; those of all posts are in every head. */
  of: string
  title: string
}

export function FeedAlternates({ of, title }: FeedAlternatesProps) {
  const { settings } = useApi()
  if (settings.reading === 'members') return null
  return FEED_FORMATS.map(([end, type]) => (
    <link key={end} rel="alternate" type={type} href={feedPath(of, end)} title={title} />
  ))
}

export function feedPath(of: string, end: 'xml' | 'json' = 'xml'): string {
  return `${of}/feed.${end}`
}
