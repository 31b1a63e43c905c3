// The lists of posts (the feed, the viewer's own posts): their loaded pages, stored with the tab's
// history for "Back". Independent of screens.
import { isId } from '#contract/ids.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Failure, Result } from '../api/client.ts'
import { snapshots } from '../api/history-snapshots.ts'
import { type PostSummary, type SummaryPage, setLike } from '../posts/posts-api.ts'

/**
 * Identifies a list of one viewer. `after` is the id of the post after which the feed begins;
 * undefined if it begins with the newest post.
 */
export type ListKey = { list: 'feed' | 'own'; viewerId: string; after?: string | undefined }

/** The active posts that a list shows so far. `excerpt` belongs to the feed's first post. */
export type ListState = ListKey & {
  posts: PostSummary[]
  total: number
  isLast: boolean
  excerpt?: string | undefined
}

/** A list before its first page. */
export function emptyList(listKey: ListKey): ListState {
  return { ...listKey, posts: [], total: 0, isLast: false }
}

/** The list as this viewer left it in this history entry; undefined for another viewer. */
export function findListSnapshot(
  key: string,
  { list, viewerId, after }: ListKey,
): ListState | undefined {
  const snapshot = snapshots.find(key)
  return isListState(snapshot) &&
    snapshot.list === list &&
    snapshot.viewerId === viewerId &&
    snapshot.after === after
    ? snapshot
    : undefined
}

export function saveListSnapshot(key: string, state: ListState): void {
  snapshots.save(key, state)
}

/** Call it after a post is created or its status changes: the stored order is then wrong. */
export function forgetFeed(): void {
  snapshots.update((value) => (isListState(value) || isPageSnapshot(value) ? undefined : value))
}

/** Updates the stored lists with a post that was liked or edited. */
export function refreshInFeed(post: PostDocument): void {
  if (post.status !== 'active') changeLists((state) => withoutPost(state, post.$id))
  changeLists((state) => ({
    ...state,
    posts: state.posts.map((card) =>
      card.$id === post.$id ? { ...card, ...summaryOf(post, card) } : card,
    ),
  }))
}

/** Saves whether the viewer likes a post, and updates its card in the stored lists. */
export async function saveLike(...like: Parameters<typeof setLike>): ReturnType<typeof setLike> {
  const saved = await setLike(...like)
  if (saved.ok) refreshInFeed(saved.value)
  return saved
}

export function removeFromLists(slug: string): void {
  changeLists((state) => withoutPost(state, slug))
}

/** Adds a page to a list. A post in both, because the list changed in between, is shown once. */
export function addPage(state: ListState, { posts, total, isLast }: SummaryPage): ListState {
  const knownIds = new Set(state.posts.map((post) => post.$id))
  return {
    ...state,
    posts: [...state.posts, ...posts.filter((post) => !knownIds.has(post.$id))],
    total,
    isLast,
  }
}

/**
 * The total to show beside the number of posts on the screen. The server does not count deleted
 * posts that are still on the screen, so its total may be too small.
 */
export function totalShown({ posts, total, isLast }: ListState): number {
  return Math.max(total, posts.length + Number(!isLast))
}

/** Whether the post after which a page should begin was deleted, or its id is invalid. */
export function isCursorGone({ code }: Failure): boolean {
  return code === 400
}

/**
 * Ids of posts after which the next page may begin, the best first: a post on the screen may have
 * been deleted since. All are within one page of the end, so that the page has new posts.
 */
export function cursorCandidates(posts: PostSummary[], pageSize: number): string[] {
  const cursors: string[] = []
  for (let fromEnd = 1; fromEnd < pageSize && fromEnd <= posts.length; fromEnd *= 2)
    cursors.push(posts.at(-fromEnd)?.$id ?? '')
  return cursors
}

/** The page after the first of these posts that still exists. */
export async function listAfter(
  listFrom: (after: string | undefined) => Promise<Result<SummaryPage>>,
  [after, ...others]: string[],
): Promise<Result<SummaryPage>> {
  const page = await listFrom(after)
  const isGone = !page.ok && isCursorGone(page.failure)
  return isGone && others.length > 0 ? listAfter(listFrom, others) : page
}

function changeLists(change: (state: ListState) => ListState): void {
  snapshots.update((value) =>
    isListState(value) ? change(value) : isPageSnapshot(value) ? undefined : value,
  )
}

function withoutPost(state: ListState, slug: string): ListState {
  const removed = state.posts.find((card) => card.$id === slug)
  if (!removed) return state
  const { excerpt: _excerpt, ...rest } = state
  return {
    ...rest,
    posts: state.posts.filter((card) => card !== removed),
    total: Math.max(0, state.total - 1),
  }
}

/** Checks a stored value: another version of the app may have stored it. */
function isListState(value: unknown): value is ListState {
  const { list, viewerId, posts, total, isLast } = Object(value) as Partial<ListState>
  return (
    typeof viewerId === 'string' &&
    typeof total === 'number' &&
    typeof isLast === 'boolean' &&
    (list === 'feed' || list === 'own') &&
    Array.isArray(posts) &&
    posts.every(
      ({ $id, title, $createdAt, like }) =>
        [$id, title, $createdAt].every((text) => typeof text === 'string') &&
        typeof like === 'number',
    )
  )
}

/** The server's answer to a change lacks the image's colour, so a new image's is unknown. */
function summaryOf(
  { title, addressWords = '', featuredImage, ownImage, status, userName, like }: PostDocument,
  previous: PostSummary,
): Partial<PostSummary> {
  const hasSameImage = featuredImage === previous.featuredImage
  const imageColor = hasSameImage ? previous.imageColor : ''
  // The answer does not say whether the image is a file of the blog: an id is one, a URL is not.
  const newImage = isId(featuredImage) ? featuredImage : ''
  const image = ownImage ?? (hasSameImage ? previous.ownImage : newImage)
  return {
    // The answer lacks the first words of a post without a title.
    title: title || previous.title,
    addressWords,
    featuredImage,
    ...(image === undefined ? {} : { ownImage: image }),
    status,
    userName,
    like,
    ...(imageColor === undefined ? {} : { imageColor }),
  }
}

/** A stored page of a list with page links. Every change to a post removes it. */
type PageSnapshot = { page: string; value: object }

/** @param page names the viewer and the address, so that another page or viewer finds nothing */
export function findPageSnapshot<Value extends object>(
  key: string,
  page: string,
): Value | undefined {
  const snapshot = snapshots.find(key)
  return isPageSnapshot(snapshot) && snapshot.page === page ? (snapshot.value as Value) : undefined
}

export function savePageSnapshot(key: string, page: string, value: object): void {
  snapshots.save(key, { page, value } satisfies PageSnapshot)
}

/** Checks a stored value: another version of the app may have stored it. */
function isPageSnapshot(value: unknown): value is PageSnapshot {
  const { page, value: data } = Object(value) as Partial<PageSnapshot>
  return typeof page === 'string' && typeof data === 'object' && data !== null
}
