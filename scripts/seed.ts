// `npm run seed`: fills an empty blog with five people and 34 posts, through the same API that
// browsers use. The app gets a clock that this script sets, so that people and posts have dates in
// the past. `--password <text>` sets the people's password. The texts and pictures are in seed/.
import { randomInt } from 'node:crypto'
import { makeApp } from '../backend/app.ts'
import { openDatabase } from '../backend/database/database.ts'
import { makeLog } from '../backend/process/log.ts'
import { makeDataFolder } from '../backend/process/secrets.ts'
import { type Config, readConfig, readEnvironment } from '../backend/settings/config.ts'
import { isEmpty } from '../backend/site/site.ts'
import { slugAt } from '../contract/ids.ts'
import { parseCommandLine } from './command-line.ts'
import { findPort } from './processes.ts'
import { emailOf, PEOPLE, PEOPLE_KEYS, type PersonKey } from './seed/people.ts'
import { readPicture, readSeedPosts, type SeedPost } from './seed/read-posts.ts'

const USAGE = `npm run seed    fills an empty blog with five people and 34 posts
Options: --password TEXT    the password of the five`
const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000
const JOINED_DAYS_AGO = 200
const PICTURE_PX = { width: 1280, height: 720 }
/** The number of days with reads; every third post has them. */
const READS = { days: 30, every: 3 }
/** When another site linked to a post, in days before today, and for how many days it shows. */
const LINKED_FROM_ELSEWHERE = { day: 5, length: 5 }
const WORDS =
  'amber bridge candle ferry harbour kettle lantern meadow orchard pebble quarry saddle thimble willow'.split(
    ' ',
  )
const OPEN_NOTICE =
  'Everybody may read this blog. To let only members read its list: npm run setup.\n'

type CallOptions = { key?: PersonKey; apiKey?: string; body?: object; program?: string }

const { values } = parseCommandLine(USAGE, { options: { password: { type: 'string' } } })
const password = values.password ?? makePassword()
// The seed runs the server on a free port while it fills the blog, without rate limits.
const env = readEnvironment(process.env)
const config = readConfig({
  ...env,
  BLOG_RATE_LIMITS: 'off',
  HOST: '127.0.0.1',
  PORT: String(await findPort()),
  BLOG_PUBLIC_URL: '',
})
const documents = `/databases/${config.databaseId}/collections/${config.collectionId}/documents`
const startMs = Date.now()
let clockMs = startMs
const cookies = new Map<PersonKey, string>()

if (await isNewBlog(config)) {
  const count = await fill()
  const emails = PEOPLE_KEYS.map((key) => `  ${emailOf(key)}  (${PEOPLE[key].name})`).join('\n')
  process.stdout.write(
    `\n${PEOPLE_KEYS.length} people and ${count} posts are there. Sign in as one of\n${emails}\nwith the password: ${password}\n${config.fixedSite.includes('reading') ? '' : OPEN_NOTICE}`,
  )
} else {
  process.stderr.write(
    'This blog is not empty, so nothing was changed. The seed fills only a new data folder or database (BLOG_DATA_DIR, BLOG_DATABASE_URL).\n',
  )
  process.exitCode = 1
}

async function isNewBlog(settings: Config): Promise<boolean> {
  await makeDataFolder(settings.dataDir, makeLog('warn'))
  const db = await openDatabase(settings)
  try {
    return await isEmpty(db)
  } finally {
    await db.destroy()
  }
}

/** @returns how many posts there are */
async function fill(): Promise<number> {
  const app = await makeApp(config, makeLog('warn'), {
    now: () => new Date(clockMs),
    pages: undefined,
    onFatal: (error) => void process.stderr.write(`${String(error)}\n`),
  })
  try {
    await app.listen()
    const ids = new Map<PersonKey, string>()
    for (const [index, key] of PEOPLE_KEYS.entries()) {
      clockMs = startMs - (JOINED_DAYS_AGO - index * 3) * DAY_MS
      ids.set(key, await makePerson(key))
    }
    const posts = readSeedPosts()
    const readable: { id: string; daysAgo: number }[] = []
    for (const [index, post] of posts.entries()) {
      const id = await writePost(post, ids)
      if (post.status === 'active') readable.push({ id, daysAgo: post.daysAgo })
      if (process.stdout.isTTY) process.stdout.write(`\r${index + 1} of ${posts.length} posts`)
    }
    clockMs = startMs
    await setUp(app.apiKey)
    await readPosts(readable.filter((_, index) => index % READS.every === 0))
    return posts.length
  } finally {
    await app.close({ graceMs: 0 })
  }
}

/** Makes Amara the operator, and the blog public. */
async function setUp(apiKey: string): Promise<void> {
  const { siteName } = config.siteDefaults
  const body = { siteName, reading: 'everyone', email: emailOf('amara'), password }
  await call('POST', '/setup', { body, apiKey })
}

/** @returns their id */
async function makePerson(key: PersonKey): Promise<string> {
  const { name, about, hasAvatar } = PEOPLE[key]
  const login = { email: emailOf(key), password }
  const { $id } = await call('POST', '/account', { body: { userId: 'unique()', ...login, name } })
  if (hasAvatar) {
    await signIn(key)
    const avatar = await upload(key, config.avatarBucketId, `${key}.png`)
    await call('PATCH', '/account/prefs', { key, body: { prefs: { avatar, about } } })
  }
  return String($id)
}

/** Called before each post and like, because an unused session ends after some days. */
async function signIn(key: PersonKey): Promise<void> {
  await call('POST', '/account/sessions/email', { key, body: { email: emailOf(key), password } })
}

/** @returns its id */
async function writePost(post: SeedPost, ids: ReadonlyMap<PersonKey, string>): Promise<string> {
  const { author, title, tags, status, picture, likedBy } = post
  const writtenMs = startMs - Math.round(post.daysAgo * DAY_MS)
  clockMs = writtenMs
  await signIn(author)
  const data = {
    title,
    tags,
    status,
    userid: ids.get(author),
    content: await storeImages(post),
    featuredImage: picture ? await upload(author, config.contentBucketId, `${picture}.jpg`) : '',
  }
  const documentId = slugAt(writtenMs)
  await call('POST', documents, { key: author, body: { documentId, data } })
  for (const [index, key] of likedBy.entries()) {
    clockMs = Math.min(startMs, writtenMs + (index + 1) * 5 * HOUR_MS)
    await signIn(key)
    const body = { data: { like: index + 1, likeId: [ids.get(key)] } }
    await call('PATCH', `${documents}/${documentId}`, { key, body })
  }
  return documentId
}

/** Uploads the images of a text, and sets the URLs that the editor would set. */
async function storeImages({ author, content }: SeedPost): Promise<string> {
  let contentWithUrls = content
  for (const [source, file = ''] of content.matchAll(/src="(\w+\.jpg)"/g)) {
    const id = await upload(author, config.contentBucketId, file)
    const { width, height } = PICTURE_PX
    const address = `/v1/storage/buckets/${config.contentBucketId}/files/${id}/view?project=${config.projectId}&width=${width}&height=${height}&type=jpeg`
    contentWithUrls = contentWithUrls.replace(source, `src="${address.replaceAll('&', '&amp;')}"`)
  }
  return contentWithUrls
}

/** @returns the id of the file */
async function upload(key: PersonKey, bucketId: string, name: string): Promise<string> {
  const body = new FormData()
  body.append('fileId', 'unique()')
  const type = name.endsWith('.png') ? 'image/png' : 'image/jpeg'
  body.append('file', new File([new Uint8Array(readPicture(name))], name, { type }))
  return String((await call('POST', `/storage/buckets/${bucketId}/files`, { key, body })).$id)
}

/** Adds reads of the last month, for the numbers on the authors' dashboards. */
async function readPosts(posts: { id: string; daysAgo: number }[]): Promise<void> {
  for (let day = READS.days - 1; day >= 0; day--) {
    clockMs = startMs - day * DAY_MS
    for (const [index, { id, daysAgo }] of posts.entries()) {
      for (let reader = 0; daysAgo >= day && reader < readsOn(day, index); reader++) {
        const program = `Mozilla/5.0 (X11; Linux x86_64; rv:${100 + reader}.0) Firefox`
        await call('POST', `${documents}/${id}/reads`, { body: {}, program })
      }
    }
  }
}

/** Few enough to count as different people behind one address. */
function readsOn(day: number, index: number): number {
  const daysSinceLink = LINKED_FROM_ELSEWHERE.day - day
  const isLinked =
    index % 2 === 0 && daysSinceLink >= 0 && daysSinceLink < LINKED_FROM_ELSEWHERE.length
  return ((day * 5 + index * 3) % 4) + (isLinked ? Math.round(11 / (daysSinceLink + 1)) : 0)
}

/** Calls the API as the person `key`, whose cookies are stored. */
async function call(
  method: string,
  path: string,
  { key, apiKey, body, program }: CallOptions,
): Promise<Record<string, unknown>> {
  const isForm = body instanceof FormData
  const response = await fetch(`${config.publicUrl}/v1${path}`, {
    method,
    headers: {
      'x-appwrite-project': config.projectId,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...(key && { cookie: cookies.get(key) ?? '' }),
      ...(apiKey && { 'x-appwrite-key': apiKey }),
      ...(program && { 'user-agent': program }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  const newCookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  if (key && newCookies.length > 0) cookies.set(key, newCookies.join('; '))
  return text ? JSON.parse(text) : {}
}

function makePassword(): string {
  return `${Array.from({ length: 4 }, () => WORDS[randomInt(WORDS.length)]).join('-')}-${randomInt(10, 100)}`
}
