// What is told about posts to whoever finds, follows or shares them. Everything here is public, a
// guest's view. Knows no rule of its own.
import type { FastifyInstance } from 'fastify'
import { addFeeds, type FeedRoutesNeeds, tellHub } from './feed-routes.ts'
import { addSharing, type SharingNeeds } from './sharing-routes.ts'
import { addListing, type ListingNeeds } from './sitemap-routes.ts'
import type { WebSub, WebSubNeeds } from './websub.ts'

/** `feeds` is undefined where the list is not for everybody. */
export type DiscoveryNeeds = SharingNeeds &
  ListingNeeds & {
    feeds: (FeedRoutesNeeds & Pick<WebSubNeeds, 'background' | 'log'>) | undefined
  }

/** Adds the addresses outside `/v1` that are no pages. @returns what goes on beside the answers */
export function addDiscovery(
  app: FastifyInstance,
  { feeds, ...needs }: DiscoveryNeeds,
): Pick<WebSub, 'close'> {
  addSharing(app, needs)
  addListing(app, needs)
  if (!feeds) return { close: () => {} }
  addFeeds(app, feeds)
  return tellHub(feeds)
}
