// Writes to a blog while it is backed up, and the check that a restored blog contains them.
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Person, TestBlog } from './blog.ts'
import { DOCUMENTS } from './documents.ts'
import { CONTENT, upload } from './files.ts'
import { drawPhoto } from './images.ts'

type Caller = Pick<TestBlog, 'call'>
export type PostWithImage = { image: string; post: string }

export async function writePost(
  blog: Caller,
  { cookie }: Pick<Person, 'cookie'>,
  image: string,
): Promise<string> {
  const data = { title: 'Lamps', content: '<p>by night</p>', featuredImage: image }
  const answer = await blog.call('POST', DOCUMENTS, {
    cookie,
    body: { documentId: 'unique()', data: { ...data, status: 'active' } },
  })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.$id
}

export async function uploadPhoto(blog: TestBlog, person: Person): Promise<string> {
  const { status, body } = await upload(blog, person, await drawSmallPhoto())
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.$id
}

let photo: Promise<Buffer> | undefined
function drawSmallPhoto(): Promise<Buffer> {
  photo ??= drawPhoto('png', { width: 60, height: 40 })
  return photo
}

/**
 * Writes an image and a post in turn, and deletes every other pair, until `work` is done.
 *
 * @returns the result of `work`, and how many writes were acknowledged meanwhile
 */
export async function writeDuring<Result>(
  blog: TestBlog,
  person: Person,
  everyMs: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; writes: number }> {
  let isDone = false
  let writes = 0
  const writing = (async () => {
    for (let round = 0; !isDone; round++) {
      const image = await uploadPhoto(blog, person)
      await delay(everyMs)
      const post = await writePost(blog, person, image)
      writes += 2
      await delay(everyMs)
      // The post's image is deleted with it.
      if (round % 2) await blog.call('DELETE', `${DOCUMENTS}/${post}`, { cookie: person.cookie })
    }
  })()
  try {
    return { result: await work(), writes }
  } finally {
    isDone = true
    await writing
  }
}

export async function writePairs(blog: TestBlog, person: Person, count: number) {
  const posts: PostWithImage[] = []
  for (let round = 0; round < count; round++) {
    const image = await uploadPhoto(blog, person)
    posts.push({ image, post: await writePost(blog, person, image) })
  }
  return posts
}

/** @returns a line for each missing post or image, and for each listed file without bytes */
export async function findLost(
  blog: Caller,
  { cookie }: Pick<Person, 'cookie'>,
  before: PostWithImage[],
): Promise<string[]> {
  const lost: string[] = []
  const check = async (path: string): Promise<void> => {
    const { status, bytes }: Answer = await blog.call('GET', path, { cookie })
    if (status !== 200 || bytes.length === 0) lost.push(`${path}: ${status}`)
  }
  if ((await blog.call('GET', '/account', { cookie })).status !== 200) lost.push('the session')
  for (const { image, post } of before) {
    await check(`${DOCUMENTS}/${post}`)
    await check(`${CONTENT}/${image}/view`)
  }
  for (let last = ''; ; ) {
    const query = last ? `&queries[1]=${encodeURIComponent(`cursorAfter("${last}")`)}` : ''
    const page = await blog.call('GET', `${CONTENT}?queries[0]=limit(100)${query}`, { cookie })
    const files: { $id: string }[] = page.body.files
    for (const { $id } of files) await check(`${CONTENT}/${$id}/view`)
    if (files.length < 100) return lost
    last = files.at(-1)?.$id ?? ''
  }
}
