// The lists of posts (the feed, one's own posts): their loaded pages, kept in the tab's history for
// "Back". Independent of screens.
import { isId } from '#contract/ids.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Failure, Result } from '../api/client.ts'
import { snapshots } from '../api/history-snapshots.ts'
import { type PostSummary, type SummaryPage, setLike } from '../posts/posts-api.ts'

/**
 * Which list, for which viewer. `after` is the post the feed begins behind, if not at the newest.
 */
export type ListKey = { list: 'feed' | 'own'; viewerId: string; after?: string | undefined }

/**
 * What a list has shown so far: active posts. `excerpt` belongs to the feed's first post.
 */
export type ListState = ListKey & {
  posts: PostSummary[]
  total: number
  isLast: boolean
  excerpt?: string | undefined
}

/** A list before its first page. */
export function emptyList(name: ListKey): ListState {
  return { ...name, posts: [], total: 0, isLast: false }
}

/** The list as this viewer left it at this entry of the history; undefined for another viewer. */
export function restoreList(
  key: string,
  { list, viewerId, after }: ListKey,
): ListState | undefined {
  const found = snapshots.find(key)
  return isListState(found) &&
    found.list === list &&
    found.viewerId === viewerId &&
    found.after === after
    ? found
    : undefined
}

export function keepList(key: string, state: ListState): void {
  snapshots.save(key, state)
}

/** After a post was created, or its status changed: the kept order is no longer right. */
export function forgetFeed(): void {
  snapshots.update((value) => (isListState(value) || isKeptPage(value) ? undefined : value))
}

/** After a like or an edit: the card shows what was saved. */
export function refreshInFeed(post: PostDocument): void {
  if (post.status !== 'active') changeLists((state) => withoutPost(state, post.$id))
  changeLists((state) => ({
    ...state,
    posts: state.posts.map((card) =>
      card.$id === post.$id ? { ...card, ...summaryOf(post, card) } : card,
    ),
  }))
}

/** Saves whether the viewer likes a post; its card shows the saved number. */
export async function saveLike(...like: Parameters<typeof setLike>): ReturnType<typeof setLike> {
  const saved = await setLike(...like)
  if (saved.ok) refreshInFeed(saved.value)
  return saved
}

export function removeFromLists(slug: string): void {
  changeLists((state) => withoutPost(state, slug))
}

/**
 * The list with one more page; a post that both hold (the list changed in between) is shown once.
 */
export function addPage(state: ListState, { posts, total, isLast }: SummaryPage): ListState {
  const seen = new Set(state.posts.map((post) => post.$id))
  return {
    ...state,
    posts: [...state.posts, ...posts.filter((post) => !seen.has(post.$id))],
    total,
    isLast,
  }
}

/**
 * The total to show next to the number of posts on screen. The server no longer counts deleted
 * posts that are still on screen, so its total may be too small.
 */
export function totalShown({ posts, total, isLast }: ListState): number {
  return Math.max(total, posts.length + Number(!isLast))
}

/** The post behind which a page should begin was deleted, or its id is not a possible one. */
export function isCursorGone({ code }: Failure): boolean {
  return code === 400
}

/**
 * Ids of posts that the next page may begin behind, the best first: a post on screen may have been
 * deleted since. All are within one page of the end, so that the page brings new posts.
 */
export function cursorCandidates(posts: PostSummary[], pageSize: number): string[] {
  const cursors: string[] = []
  for (let back = 1; back < pageSize && back <= posts.length; back *= 2)
    cursors.push(posts.at(-back)?.$id ?? '')
  return cursors
}

/** The page behind the first of these posts that still exists. */
export async function listAfter(
  listFrom: (after: string | undefined) => Promise<Result<SummaryPage>>,
  [after, ...others]: string[],
): Promise<Result<SummaryPage>> {
  const page = await listFrom(after)
  const isGone = !page.ok && isCursorGone(page.failure)
  return isGone && others.length > 0 ? listAfter(listFrom, others) : page
}

function changeLists(work: (state: ListState) => ListState): void {
  snapshots.update((value) =>
    isListState(value) ? work(value) : isKeptPage(value) ? undefined : value,
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

/** Stored by the tab, perhaps by another version of the app. */
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

/** A saved post comes without the colour of its image: that of a new image is not known here. */
function summaryOf(
  { title, featuredImage, ownImage, status, userName, like }: PostDocument,
  before: PostSummary,
): Partial<PostSummary> {
  const isSame = featuredImage === before.featuredImage
  const imageColor = isSame ? before.imageColor : ''
  // Answers to changes do not tell whether it is a file of the blog; an address is none.
  const image = ownImage ?? (isSame ? before.ownImage : isId(featuredImage) ? featuredImage : '')
  return {
    // The first words of one without a title are not in such an answer.
    title: title || before.title,
    featuredImage,
    ...(image === undefined ? {} : { ownImage: image }),
    status,
    userName,
    like,
    ...(imageColor === undefined ? {} : { imageColor }),
  }
}

/** A page that was read as a whole. Every change of a post removes it. */
type CachedPage = { page: string; value: object }

/** @param page names the viewer and the address: for another one nothing is found */
export function findPage<Value extends object>(key: string, page: string): Value | undefined {
  const found = snapshots.find(key)
  return isKeptPage(found) && found.page === page ? (found.value as Value) : undefined
}

export function savePageSnapshot(key: string, page: string, value: object): void {
  snapshots.save(key, { page, value } satisfies CachedPage)
}

/** Stored by the tab, perhaps by another version of the app. */
function isKeptPage(value: unknown): value is CachedPage {
  const { page, value: kept } = Object(value) as Partial<CachedPage>
  return typeof page === 'string' && typeof kept === 'object' && kept !== null
}
