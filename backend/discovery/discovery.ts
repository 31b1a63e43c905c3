// What is told about posts to whoever finds, follows or shares them. Everything here is public, a
// guest's view. Knows no rule of its own.
import type { FastifyInstance } from 'fastify'
import { addFeeds } from './feed-routes.ts'
import { addSharing, type SharingNeeds } from './sharing-routes.ts'
import { addListing, type ListingNeeds } from './sitemap-routes.ts'

/** `feeds` is undefined where the list is not for everybody. */
type DiscoveryNeeds = SharingNeeds &
  ListingNeeds & { feeds: Parameters<typeof addFeeds>[1] | undefined }

/** Adds the addresses outside `/v1` that are no pages. @returns what goes on beside the answers */
export function addDiscovery(
  app: FastifyInstance,
  { feeds, ...needs }: DiscoveryNeeds,
): ReturnType<typeof addFeeds> {
  addSharing(app, needs)
  addListing(app, needs)
  return feeds ? addFeeds(app, feeds) : { close: () => {} }
}
