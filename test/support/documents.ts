// Short forms of the document calls of a test blog, with real uploaded images.
import type { Answer, Person, TestBlog } from './blog.ts'
import { drawPhoto } from './images.ts'

export const DOCUMENTS = '/databases/blogdb/collections/posts/documents'

/** A signed-in person, the API key, or a guest. */
type Caller = Person | 'key' | undefined

export type Documents = {
  /** Uploads a small image. @returns its file id */
  upload(caller: Caller): Promise<string>
  create(caller: Caller, data: unknown, rest?: Record<string, unknown>): Promise<Answer>
  /** Expects a new post to work; it has a new image unless `data` names one. @returns its id */
  post(
    author: Person,
    data?: Record<string, unknown>,
    rest?: Record<string, unknown>,
  ): Promise<string>
  list(caller: Caller, ...queries: string[]): Promise<Answer>
  get(caller: Caller, id: string, ...queries: string[]): Promise<Answer>
  patch(caller: Caller, id: string, data: unknown, rest?: Record<string, unknown>): Promise<Answer>
  remove(caller: Caller, id: string): Promise<Answer>
  like(caller: Caller, id: string, likeId: unknown, like?: unknown): Promise<Answer>
  /** All posts and files, as the API key sees them: a refused call must not change them. */
  everything(): Promise<unknown>
}

let photo: Promise<Buffer> | undefined

/** Drawn once: for most tests any image will do. */
function drawSmallPhoto(): Promise<Buffer> {
  photo ??= drawPhoto('png', { width: 64, height: 36 })
  return photo
}

export function makeDocuments(blog: TestBlog): Documents {
  const as = (caller: Caller) =>
    caller === 'key'
      ? { headers: { 'x-appwrite-key': blog.apiKey } }
      : caller
        ? { cookie: caller.cookie }
        : {}
  const queryString = (queries: string[]) =>
    queries.map((query, index) => `queries[${index}]=${encodeURIComponent(query)}`).join('&')
  const documents: Documents = {
    async upload(caller) {
      const body = new FormData()
      body.append('fileId', 'unique()')
      body.append('file', new File([new Uint8Array(await drawSmallPhoto())], 'photo.png'))
      const answer = await blog.call('POST', '/storage/buckets/content/files', {
        body,
        ...as(caller),
      })
      if (answer.status !== 201)
        throw new Error(`The upload failed: ${JSON.stringify(answer.body)}`)
      return answer.body.$id
    },
    create: (caller, data, rest = {}) =>
      blog.call('POST', DOCUMENTS, {
        body: { documentId: 'unique()', data, ...rest },
        ...as(caller),
      }),
    async post(author, data = {}, rest = {}) {
      const { featuredImage = await documents.upload(author) } = data
      const answer = await documents.create(
        author,
        { title: 'A post', ...data, featuredImage },
        rest,
      )
      if (answer.status !== 201)
        throw new Error(`The post was refused: ${JSON.stringify(answer.body)}`)
      return answer.body.$id
    },
    list: (caller, ...queries) =>
      blog.call('GET', `${DOCUMENTS}?${queryString(queries)}`, as(caller)),
    get: (caller, id, ...queries) =>
      blog.call('GET', `${DOCUMENTS}/${id}?${queryString(queries)}`, as(caller)),
    patch: (caller, id, data, rest = {}) =>
      blog.call('PATCH', `${DOCUMENTS}/${id}`, { body: { data, ...rest }, ...as(caller) }),
    remove: (caller, id) => blog.call('DELETE', `${DOCUMENTS}/${id}`, { body: {}, ...as(caller) }),
    like: (caller, id, likeId, like = 1) => documents.patch(caller, id, { like, likeId }),
    async everything() {
      const posts = await documents.list('key', 'limit(5000)')
      const files = await blog.call('GET', '/storage/buckets/content/files', as('key'))
      return { posts: posts.body, files: files.body }
    },
  }
  return documents
}
