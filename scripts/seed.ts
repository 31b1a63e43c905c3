// `npm run seed`: fills an empty blog with five people, 34 posts and drawn images, through
// the same API that browsers use. Every person and post gets its own past moment by a clock handed
// to the app. `--password <text>` sets the people's password.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { makeApp } from '../backend/app.ts'
import { type Config, findEnv, readConfig } from '../backend/config.ts'
import { openDatabase } from '../backend/database/database.ts'
import { makeLog } from '../backend/process/log.ts'
import { makeDataFolder } from '../backend/process/secrets.ts'
import { slugAt } from '../contract/ids.ts'
import { findPort } from './processes.ts'
import { AMARA_POSTS } from './seed/amara.ts'
import { drawAvatar } from './seed/avatars.ts'
import { HEIGHT, WIDTH } from './seed/brush.ts'
import { LONG_POSTS } from './seed/long-posts.ts'
import { NOOR_POSTS } from './seed/noor.ts'
import { BODY_IMAGE, PEOPLE, type PersonKey, type SeedPost } from './seed/people.ts'
import { PIA_POSTS } from './seed/pia.ts'
import { seedReads } from './seed/reads.ts'
import { drawScene, type SceneName } from './seed/scenes.ts'
import { tagsOfSeed } from './seed/tags.ts'
import { TOBIAS_POSTS } from './seed/tobias.ts'
import { WIEBKE_POSTS } from './seed/wiebke.ts'
import { changeSettings } from './setup/settings.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000
const JOINED_DAYS_AGO = 200
const KEYS = Object.keys(PEOPLE) as PersonKey[]
const POSTS = [
  ...AMARA_POSTS,
  ...TOBIAS_POSTS,
  ...WIEBKE_POSTS,
  ...NOOR_POSTS,
  ...PIA_POSTS,
  ...LONG_POSTS,
].toSorted((a, b) => b.daysAgo - a.daysAgo)
const WORDS = [
  'amber',
  'bridge',
  'candle',
  'ferry',
  'harbour',
  'kettle',
  'lantern',
  'meadow',
  'orchard',
  'pebble',
  'quarry',
  'saddle',
  'thimble',
  'willow',
]

const OPENED = 'Everybody may read this blog. To let only members read its list: npm run setup.\n'

type Seeder = {
  /** Moves the blog's clock to a moment, in milliseconds since 1970. */
  setClock(ms: number): void
  call(
    method: string,
    path: string,
    options: { cookie?: string; body?: unknown; program?: string },
  ): Promise<{ body: Record<string, unknown>; cookie: string }>
}

const { values } = parseArgs({ options: { password: { type: 'string' } } })
const password = values.password ?? makePassword()
// The seed serves itself on a free port for a moment; its own calls are no attack on the rate
// limits.
const env = findEnv(process.env)
const config = readConfig({
  ...env,
  NODE_ENV: 'development',
  BLOG_RATE_LIMITS: 'off',
  HOST: '127.0.0.1',
  PORT: String(await findPort()),
  BLOG_PUBLIC_URL: '',
})

if (!(await isEmpty(config))) {
  process.stderr.write(
    'This blog is not empty, so nothing was changed. The seed fills only a new data folder or database (BLOG_DATA_DIR, BLOG_DATABASE_URL).\n',
  )
  process.exitCode = 1
} else {
  await fill(config)
  const hasOpened = await openTheBlog(config.dataDir)
  const emails = KEYS.map((key) => `  ${PEOPLE[key].email}  (${PEOPLE[key].name})`).join('\n')
  process.stdout.write(
    `\n${KEYS.length} people and ${POSTS.length} posts are there. Sign in as one of\n${emails}\nwith the password: ${password}\n${hasOpened ? OPENED : ''}`,
  )
}

/**
 * So that visitors see it; what somebody has set already stays.
 *
 * @returns whether nobody had
 */
async function openTheBlog(dataDir: string): Promise<boolean> {
  if (env.BLOG_READING || env.BLOG_READING_FILE) return false
  await changeSettings(dataDir, { BLOG_READING: 'everyone' })
  return true
}

async function isEmpty(settings: Config): Promise<boolean> {
  await makeDataFolder(settings.dataDir, makeLog('warn'))
  const db = await openDatabase(settings)
  try {
    const person = await db.selectFrom('user').select('id').executeTakeFirst()
    const post = await db.selectFrom('post').select('id').executeTakeFirst()
    return person === undefined && post === undefined
  } finally {
    await db.destroy()
  }
}

async function fill(settings: Config): Promise<void> {
  const startMs = Date.now()
  let clockMs = startMs
  const failed = (error: unknown): void =>
    void process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  const app = await makeApp(settings, makeLog('warn'), {
    now: () => new Date(clockMs),
    pages: undefined,
    onFatal: failed,
  })
  try {
    await app.listen()
    const setClock = (ms: number): void => {
      clockMs = ms
    }
    const seeder: Seeder = { setClock, call: makeCall(settings) }
    const ids = await makePeople(seeder, startMs)
    const written: { id: string; daysAgo: number }[] = []
    for (const [index, post] of POSTS.entries()) {
      const id = await writePost(seeder, settings, { post, index, startMs, ids })
      if (!post.isInactive) written.push({ id, daysAgo: post.daysAgo })
      if (process.stdout.isTTY) process.stdout.write(`\r${index + 1} of ${POSTS.length} posts`)
    }
    await seedReads(written, {
      setDay: (daysAgo) => setClock(startMs - daysAgo * DAY_MS),
      read: (id, program) =>
        seeder.call('POST', `${documentsPath(settings)}/${id}/reads`, { body: {}, program }),
    })
  } finally {
    await app.close({ graceMs: 0 })
  }
}

function makeCall(settings: Config): Seeder['call'] {
  return async (method, path, { cookie, body, program }) => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${settings.publicUrl}/v1${path}`, {
      method,
      headers: {
        'x-appwrite-project': settings.projectId,
        ...(isForm ? {} : { 'content-type': 'application/json' }),
        ...(cookie ? { cookie } : {}),
        ...(program ? { 'user-agent': program } : {}),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    const set = answer.headers.getSetCookie().map((one) => one.split(';')[0])
    return { body: text ? JSON.parse(text) : {}, cookie: set.join('; ') }
  }
}

async function makePeople(seeder: Seeder, startMs: number): Promise<Record<PersonKey, string>> {
  const ids: Partial<Record<PersonKey, string>> = {}
  for (const [index, key] of KEYS.entries()) {
    const { name, email, face, about } = PEOPLE[key]
    seeder.setClock(startMs - (JOINED_DAYS_AGO - index * 3) * DAY_MS)
    const made = await seeder.call('POST', '/account', {
      body: { userId: 'unique()', email, password, name },
    })
    ids[key] = String(made.body.$id)
    if (!face) continue
    const cookie = await signIn(seeder, key)
    const image = await sharp(Buffer.from(drawAvatar(face)))
      .png()
      .toBuffer()
    const avatar = await upload(seeder, cookie, {
      bucketId: config.avatarBucketId,
      name: `${key}.png`,
      type: 'image/png',
      image,
    })
    await seeder.call('PATCH', '/account/prefs', { cookie, body: { prefs: { avatar, about } } })
  }
  return ids as Record<PersonKey, string>
}

async function signIn(seeder: Seeder, key: PersonKey): Promise<string> {
  return (
    await seeder.call('POST', '/account/sessions/email', {
      body: { email: PEOPLE[key].email, password },
    })
  ).cookie
}

type Writing = { post: SeedPost; index: number; startMs: number; ids: Record<PersonKey, string> }

async function writePost(
  seeder: Seeder,
  settings: Config,
  { post, index, startMs, ids }: Writing,
): Promise<string> {
  const writtenMs = startMs - Math.round(post.daysAgo * DAY_MS)
  seeder.setClock(writtenMs)
  const cookie = await signIn(seeder, post.author)
  const uploadImage = (name: string, type: ImageType, image: Buffer): Promise<string> =>
    upload(seeder, cookie, {
      bucketId: settings.contentBucketId,
      name,
      type: `image/${type}`,
      image,
    })
  const featuredImage = await drawFeatured(post, index, uploadImage)
  const documents = documentsPath(settings)
  const slug = slugAt(writtenMs)
  const data = {
    title: post.title,
    content: await drawBody(post.content, { settings, index, uploadImage }),
    featuredImage,
    tags: tagsOfSeed(post),
    status: post.isInactive ? 'inactive' : 'active',
    userid: ids[post.author],
  }
  await seeder.call('POST', documents, { cookie, body: { documentId: slug, data } })
  for (const [turn, key] of post.likedBy.entries()) {
    seeder.setClock(Math.min(startMs, writtenMs + (turn + 1) * 5 * HOUR_MS))
    await seeder.call('PATCH', `${documents}/${slug}`, {
      cookie: await signIn(seeder, key),
      body: { data: { like: turn + 1, likeId: [ids[key]] } },
    })
  }
  return slug
}

function documentsPath({ databaseId, collectionId }: Config): string {
  return `/databases/${databaseId}/collections/${collectionId}/documents`
}

type Upload = { bucketId: string; name: string; type: string; image: Buffer }

async function upload(
  seeder: Seeder,
  cookie: string,
  { bucketId, name, type, image }: Upload,
): Promise<string> {
  const form = new FormData()
  form.append('fileId', 'unique()')
  form.append('file', new File([new Uint8Array(image)], name, { type }))
  return String(
    (await seeder.call('POST', `/storage/buckets/${bucketId}/files`, { cookie, body: form })).body
      .$id,
  )
}

type ImageType = 'jpeg' | 'png' | 'gif'
type UploadImage = (name: string, type: ImageType, image: Buffer) => Promise<string>

/** @returns the id of the file; "" for a draft without an image */
async function drawFeatured(
  { scene, type = 'jpeg' }: SeedPost,
  index: number,
  uploadImage: UploadImage,
): Promise<string> {
  if (!scene) return ''
  const name = `${scene}-${index + 1}.${type === 'jpeg' ? 'jpg' : type}`
  return await uploadImage(name, type, await drawImage({ scene, type, seed: index + 1 }))
}

type Body = { settings: Config; index: number; uploadImage: UploadImage }

/** Draws the images of a text, and puts them where they belong as the editor would. */
async function drawBody(content: string, { settings, index, uploadImage }: Body): Promise<string> {
  let drawn = content
  for (const [marker, scene = '', alt = '', caption = ''] of content.matchAll(BODY_IMAGE)) {
    const image = await drawImage({ scene: scene as SceneName, type: 'jpeg', seed: 100 + index })
    const id = await uploadImage(`${scene}-in-text-${index + 1}.jpg`, 'jpeg', image)
    const view = `/v1/storage/buckets/${settings.contentBucketId}/files/${id}/view?project=${settings.projectId}`
    const address = `${view}&width=${WIDTH}&height=${HEIGHT}&type=jpeg`.replaceAll('&', '&amp;')
    drawn = drawn.replace(
      marker,
      `<figure class="image"><img src="${address}" alt="${alt}"><figcaption>${caption}</figcaption></figure>`,
    )
  }
  return drawn
}

type Drawing = { scene: SceneName; type: ImageType; seed: number }

async function drawImage({ scene, type, seed }: Drawing): Promise<Buffer> {
  const draw = (shift: number): Buffer => Buffer.from(drawScene(scene, seed, shift))
  if (type === 'jpeg') return await sharp(draw(0)).jpeg({ quality: 86, mozjpeg: true }).toBuffer()
  if (type === 'png') return await sharp(draw(0)).png({ palette: true, colours: 128 }).toBuffer()
  const frames = await Promise.all(
    [0, 0.2, 0.4, 0.6, 0.8].map((shift) => sharp(draw(shift)).resize(800).png().toBuffer()),
  )
  return await sharp(frames, { join: { animated: true } })
    .gif({ delay: 600, loop: 0, colours: 64 })
    .toBuffer()
}

function makePassword(): string {
  return `${Array.from({ length: 4 }, () => WORDS[randomInt(WORDS.length)]).join('-')}-${randomInt(10, 100)}`
}
