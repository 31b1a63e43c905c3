// For tests: fake calls of a save, which log their arguments in order.
import type { FileModel } from '#contract/files.ts'
import type { PostDocument } from '#contract/posts.ts'
import { type Failure, fail, succeed } from '../../api/client.ts'
import type { PostValues } from '../post-values.ts'
import type { SaveCalls } from '../save-post.ts'

const NOTES = ' Notes '
const WHY = 'why'

export const VALUES: PostValues = {
  title: NOTES,
  slug: 'blog1763472000000l',
  content: '<p>Hi</p>',
  status: 'active',
}
export const TAKEN: Failure = { message: WHY, code: 409, type: 'document_already_exists' }
const MISSING: Failure = { message: WHY, code: 404, type: 'document_not_found' }
export const BROKEN: Failure = { message: WHY, code: 0, type: '' }
export const image = new File(['x'], 'a.png', { type: 'image/png' })

export function makePost(id: string, overrides: Partial<PostDocument> = {}): PostDocument {
  const times = {
    $createdAt: '',
    $updatedAt: '',
    publishedAt: null,
    $permissions: [],
    $databaseId: '',
    $collectionId: '',
  }
  return {
    $id: id,
    title: '',
    content: '',
    featuredImage: 'f1',
    status: 'active',
    userid: 'alice',
    like: 0,
    likeId: [],
    userName: 'Alice',
    ...times,
    ...overrides,
  }
}

/** Each call fails with the next failure of its list; without one it succeeds. */
export function makeCalls({
  upload = [],
  save = [],
  stored,
}: {
  upload?: Failure[]
  save?: Failure[]
  stored?: PostDocument
} = {}) {
  const log: string[] = []
  let files = 0
  const calls: SaveCalls = {
    async uploadImage(file) {
      log.push(`upload ${file.name}`)
      const failure = upload.shift()
      files += 1
      return failure ? fail(failure) : succeed({ $id: `f${files}` } as FileModel)
    },
    async createPost(slug, data) {
      log.push(`create ${slug} ${data.title} ${data.featuredImage} ${data.userid}`)
      const failure = save.shift()
      return failure ? fail(failure) : succeed(makePost(slug))
    },
    async updatePost(slug, { data: { tags = [], publishedAt = null, ...data }, unlessNewerThan }) {
      log.push(
        `update ${slug} ${data.featuredImage} ${data.content} unless newer than ${unlessNewerThan}`,
      )
      const failure = save.shift()
      return failure ? fail(failure) : succeed(makePost(slug, { ...data, tags, publishedAt }))
    },
    async getPost(slug) {
      log.push(`get ${slug}`)
      return stored ? succeed(stored) : fail(MISSING)
    },
    now: () => 1,
  }
  return { calls, log }
}
