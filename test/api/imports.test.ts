// The calls of an import: upload in pieces, dry run, start, pause, undo, discard; what each of them
// refuses; and that another owner's imports do not exist. The work itself is decided by the tests.
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { IMPORT_PIECE_BYTES, OWN_IMPORT_MAX_BYTES } from '#contract/archive-limits.ts'
import type { NotificationPage } from '#contract/notifications.ts'
import {
  CHECK,
  CHOICES,
  COUNTS,
  copyRuns,
  makeJobs,
  makeRunCalls,
  type Prefix,
  writeIssues,
} from '#test/support/archive-runs.ts'
import { makeTestBlog } from '#test/support/blog.ts'

const SMALL = Buffer.from('an export')
const HALF_MORE = IMPORT_PIECE_BYTES * 1.5

async function openBlog() {
  const jobs = makeJobs()
  const blog = await makeTestBlog({}, { runTask: jobs.runTask })
  const asKey = { headers: { 'x-appwrite-key': blog.apiKey } }
  const setRole = (id: string, role: string) =>
    blog.call('PATCH', `/users/${id}/role`, { ...asKey, body: { role } })
  const ann = await blog.makePerson('ann')
  const olga = await blog.makePerson('olga')
  await setRole(olga.id, 'operator')
  const pieces = async () =>
    (await readdir(join(blog.dataDir, 'uploads'))).filter((name) => name.endsWith('.piece'))
  return {
    ...blog,
    jobs,
    asKey,
    setRole,
    ann,
    olga,
    own: makeRunCalls(blog, '/account', ann),
    whole: makeRunCalls(blog, '/operator', olga),
    /** Names of the stored pieces of all uploads. */
    pieces,
    bell: async (cookie: string): Promise<NotificationPage['list']> =>
      (await blog.call('GET', '/notifications', { cookie })).body.list,
  }
}

type Blog = Awaited<ReturnType<typeof openBlog>>
type Calls = ReturnType<typeof makeRunCalls>

/** An import whose dry run has ended. */
async function makeChecked({ jobs }: Blog, calls: Calls, check = CHECK): Promise<string> {
  const { $id } = await calls.upload(SMALL)
  await calls.step($id, 'check', {})
  const job = await jobs.next()
  job.end({ result: { check } })
  await calls.until($id, 'checked')
  return $id
}

/** An import that is running. */
async function makeRunning(blog: Blog, calls: Calls) {
  const id = await makeChecked(blog, calls)
  await calls.step(id, 'start', CHOICES)
  const job = await blog.jobs.next()
  await calls.until(id, 'running')
  return { id, job }
}

describe('an import', () => {
  test('is uploaded, checked, run, and can be undone', async () => {
    await using blog = await openBlog()
    const { own, jobs, ann } = blog
    const run = await own.upload(Buffer.alloc(HALF_MORE, 'x'))
    expect(run).toMatchObject({ state: 'uploading', pieces: 2, sizeBytes: HALF_MORE, check: null })
    expect((await own.step(run.$id, 'check', {})).body.state).toBe('checking')
    const checking = await jobs.next()
    expect(checking.task.run).toMatchObject({ id: run.$id, state: 'checking', userId: ann.id })
    checking.end({ result: { check: CHECK } })
    expect((await own.until(run.$id, 'checked')).check).toEqual(CHECK)
    const started = await own.step(run.$id, 'start', CHOICES)
    expect(['waiting', 'running']).toContain(started.body.state)
    const importing = await jobs.next()
    expect(JSON.parse(importing.task.run.request).choices).toEqual(CHOICES)
    const imported = { ...COUNTS, posts: 2 }
    importing.report({ phase: 'posts', done: 2, total: 4, name: 'A lamp', imported })
    const progress = async () => (await own.read(run.$id)).body.progress.name
    await expect.poll(progress, { timeout: 10_000 }).toBe('A lamp')
    importing.end({ result: { imported: { ...COUNTS, posts: 4 } } })
    const done = await own.until(run.$id, 'done')
    expect(done.undoUntil).not.toBe('')
    await expect.poll(blog.pieces).toEqual([])
    expect(await blog.bell(ann.cookie)).toMatchObject([
      { kind: 'archive', reason: 'imported', count: 4, people: { total: 0 } },
    ])
    await own.step(run.$id, 'undo')
    const undoing = await jobs.next()
    expect(undoing.task.run.state).toBe('undoing')
    undoing.end({ result: { removed: 3, kept: 1 } })
    expect(await own.until(run.$id, 'undone')).toMatchObject({ kept: 1, undoUntil: '' })
  })

  test('is paused and resumed, and continues with the progress that it had', async () => {
    await using blog = await openBlog()
    const { id, job } = await makeRunning(blog, blog.own)
    const progress = { phase: 'posts', done: 84, total: 229, name: '', imported: COUNTS } as const
    job.report(progress)
    const done = async () => (await blog.own.read(id)).body.progress.done
    await expect.poll(done, { timeout: 10_000 }).toBe(84)
    expect((await blog.own.step(id, 'pause')).body.state).toBe('paused')
    await job.stopped
    expect((await blog.own.read(id)).body).toMatchObject({ state: 'paused', progress })
    await blog.own.step(id, 'resume')
    const resumed = await blog.jobs.next()
    expect(JSON.parse(resumed.task.run.progress)).toEqual(progress)
    expect((await blog.own.until(id, 'running')).progress.done).toBe(84)
  })

  test('is stopped and undone at once', async () => {
    await using blog = await openBlog()
    const { id, job } = await makeRunning(blog, blog.own)
    expect((await blog.own.step(id, 'undo')).body.state).toBe('undoing')
    await job.stopped
    const undoing = await blog.jobs.next()
    expect(undoing.task.run.state).toBe('undoing')
    undoing.end({ result: { removed: 2, kept: 0 } })
    await blog.own.until(id, 'undone')
  })

  test('that failed says why, and is resumed with its upload', async () => {
    await using blog = await openBlog()
    const { id, job } = await makeRunning(blog, blog.own)
    job.end({ problem: 'The disk of the blog is full.' })
    expect(await blog.own.until(id, 'failed')).toMatchObject({
      problem: 'The disk of the blog is full.',
    })
    expect(await blog.bell(blog.ann.cookie)).toMatchObject([{ reason: 'importFailed' }])
    expect(await blog.pieces()).toHaveLength(1)
    await blog.own.step(id, 'resume')
    const resumed = await blog.jobs.next()
    resumed.end({ result: { imported: COUNTS } })
    await blog.own.until(id, 'done')
  })

  test('is discarded with its upload, also while it is checked', async () => {
    await using blog = await openBlog()
    const { $id } = await blog.own.upload(SMALL)
    await blog.own.step($id, 'check', {})
    const job = await blog.jobs.next()
    const folder = join(blog.dataDir, 'archives', $id)
    await mkdir(folder, { recursive: true })
    expect((await blog.own.discard($id)).status).toBe(204)
    await job.stopped
    await expect.poll(() => existsSync(folder)).toBe(false)
    await expect.poll(blog.pieces).toEqual([])
    expect((await blog.own.read($id)).body.type).toBe('import_not_found')
  })

  test('may be checked again with another address of the old site', async () => {
    await using blog = await openBlog()
    const id = await makeChecked(blog, blog.own)
    await blog.own.step(id, 'check', { oldAddress: 'https://old.example' })
    const job = await blog.jobs.next()
    expect(JSON.parse(job.task.run.request).oldAddress).toBe('https://old.example')
    expect((await blog.own.read(id)).body).toMatchObject({ state: 'checking', check: null })
  })
})

describe('a piece', () => {
  test('is stored once, and only after those before it', async () => {
    await using blog = await openBlog()
    const { $id } = (await blog.own.create(HALF_MORE)).body
    const first = Buffer.alloc(IMPORT_PIECE_BYTES, 'a')
    const last = Buffer.alloc(HALF_MORE - IMPORT_PIECE_BYTES, 'b')
    expect((await blog.own.put($id, 1, last)).body.type).toBe('import_incomplete')
    expect((await blog.own.put($id, 0, first)).body.pieces).toBe(1)
    expect((await blog.own.put($id, 0, first)).body.pieces).toBe(1)
    expect((await blog.own.step($id, 'check', {})).body.type).toBe('import_incomplete')
    expect((await blog.own.put($id, 1, last)).body.pieces).toBe(2)
    expect(await blog.pieces()).toHaveLength(2)
  })

  test('of another length, number or type is refused, and leaves no bytes', async () => {
    await using blog = await openBlog()
    const { $id } = (await blog.own.create(HALF_MORE)).body
    const typeOf = async (number: number, bytes: Buffer<ArrayBuffer>) =>
      (await blog.own.put($id, number, bytes)).body.type
    expect(await typeOf(0, SMALL)).toBe('storage_invalid_file_size')
    expect(await typeOf(2, SMALL)).toBe('general_argument_invalid')
    expect(await typeOf(-1, SMALL)).toBe('general_argument_invalid')
    const json = { cookie: blog.ann.cookie, body: { bytes: 'text' } }
    const path = `/account/imports/${$id}/pieces/0`
    expect((await blog.call('PUT', path, json)).body.type).toBe('storage_file_empty')
    expect(await typeOf(0, Buffer.alloc(IMPORT_PIECE_BYTES + 1))).toBe('storage_invalid_file_size')
    expect(await blog.pieces()).toEqual([])
    expect((await blog.own.read($id)).body.pieces).toBe(0)
  })
})

test('an owner has one import at a time, and its size is bounded', async () => {
  await using blog = await openBlog()
  const { own, whole } = blog
  expect((await own.create(OWN_IMPORT_MAX_BYTES + 1)).body.type).toBe('storage_invalid_file_size')
  expect((await own.create(0)).status).toBe(400)
  const { $id } = (await own.create(10)).body
  expect((await own.create(10)).body.type).toBe('import_active')
  expect((await whole.create(10)).status).toBe(201)
  expect((await whole.create(10)).body.type).toBe('import_active')
  await own.discard($id)
  expect((await own.create(10)).status).toBe(201)
  expect((await own.list()).body).toMatchObject({ total: 1, imports: [{ state: 'uploading' }] })
})

test('imports of a person that have failed leave room for those of others', async () => {
  await using blog = await openBlog()
  const id = await makeChecked(blog, blog.own)
  copyRuns(blog, id, 50)
  await blog.own.discard(id)
  const bob = await blog.makePerson('bob')
  expect((await makeRunCalls(blog, '/account', bob).create(10)).status).toBe(201)
})

test.each([
  { fileName: '' },
  { fileName: 'a\0b' },
  { oldAddress: 'javascript:alert(1)' },
  { oldAddress: 'https://old.example/ x' },
  { sizeBytes: 1.5 },
])('a request with %j is refused', async (more) => {
  await using blog = await openBlog()
  expect((await blog.own.create(10, more)).status).toBe(400)
  expect((await blog.own.list()).body.total).toBe(0)
})

describe('choices', () => {
  const people = (target: string) => ({ people: { ann: target } })

  test('of one’s own posts name no people, no pages and no name of the blog', async () => {
    await using blog = await openBlog()
    const id = await makeChecked(blog, blog.own)
    for (const more of [people('new'), { pages: 'pages' }, { hasSiteName: true }, { status: '?' }])
      expect((await blog.own.step(id, 'start', { ...CHOICES, ...more })).status).toBe(400)
    expect((await blog.own.read(id)).body.state).toBe('checked')
  })

  test('of an operator name people of the dry run, and usable accounts', async () => {
    await using blog = await openBlog()
    const { whole, ann, asKey } = blog
    const id = await makeChecked(blog, whole)
    const bob = await blog.makePerson('bob')
    await blog.call('PATCH', `/users/${bob.id}/status`, { ...asKey, body: { status: false } })
    for (const more of [people('nobody'), people(bob.id), { people: { who: 'new' } }])
      expect((await whole.step(id, 'start', { ...CHOICES, ...more })).status).toBe(400)
    const start = await whole.step(id, 'start', { ...CHOICES, ...people(ann.id), pages: 'pages' })
    expect(start.status).toBe(200)
    const activity = await blog.call('GET', '/operator/activity', asKey)
    expect(activity.body.list[0]).toMatchObject({ action: 'import', subjectName: 'old.xml' })
  })
})

/** Each step, from the states that it is not for. */
test('a step that the state does not allow is refused and changes nothing', async () => {
  await using blog = await openBlog()
  const { own } = blog
  const { $id } = await own.upload(SMALL)
  const refusedSteps = async (steps: string[]) => {
    const before = (await own.read($id)).body.state
    for (const step of steps) {
      const { body } = await own.step($id, step, step === 'start' ? CHOICES : {})
      expect([before, step, body.type]).toEqual([before, step, 'import_at_another_step'])
    }
    expect((await own.read($id)).body.state).toBe(before)
  }
  await refusedSteps(['start', 'pause', 'resume', 'undo'])
  await own.step($id, 'check', {})
  await refusedSteps(['start', 'pause', 'resume', 'undo', 'check'])
  const checking = await blog.jobs.next()
  checking.end({ result: { check: CHECK } })
  await own.until($id, 'checked')
  await refusedSteps(['pause', 'resume', 'undo'])
  await own.step($id, 'start', CHOICES)
  const importing = await blog.jobs.next()
  await own.until($id, 'running')
  await refusedSteps(['start', 'check', 'resume'])
  expect((await own.discard($id)).body.type).toBe('import_at_another_step')
  importing.end({ result: { imported: COUNTS } })
  await own.until($id, 'done')
  await refusedSteps(['start', 'check', 'resume', 'pause'])
  expect((await own.put($id, 0, SMALL)).body.type).toBe('import_at_another_step')
})

describe('rights', () => {
  const STEPS = ['check', 'start', 'pause', 'resume', 'undo']

  async function sendAll(calls: Calls, id: string) {
    return [
      await calls.read(id),
      await calls.issues(id),
      await calls.put(id, 0, SMALL),
      await calls.discard(id),
      ...(await Promise.all(
        STEPS.map((step) => calls.step(id, step, step === 'start' ? CHOICES : {})),
      )),
    ]
  }

  test('another owner’s import does not exist for anybody else, nor for the other calls', async () => {
    await using blog = await openBlog()
    const { own, whole, olga } = blog
    const bob = await blog.makePerson('bob')
    const ofAnn = (await own.upload(SMALL)).$id
    const ofBlog = (await whole.upload(SMALL)).$id
    const strangers: [Calls, string][] = [
      [makeRunCalls(blog, '/account', bob), ofAnn],
      [makeRunCalls(blog, '/account', olga), ofAnn],
      [makeRunCalls(blog, '/account', olga), ofBlog],
      [whole, ofAnn],
      [own, ofBlog],
    ]
    for (const [calls, id] of strangers) {
      const types = (await sendAll(calls, id)).map(({ body }) => body.type)
      expect(new Set(types)).toEqual(new Set(['import_not_found']))
      expect((await calls.list()).body.imports).not.toMatchObject([{ $id: id }])
    }
    expect((await own.read(ofAnn)).body).toMatchObject({ state: 'uploading', pieces: 1 })
  })

  test('guests get 401, readers 403 for what would write', async () => {
    await using blog = await openBlog()
    const { $id } = await blog.own.upload(SMALL)
    for (const prefix of ['/account', '/operator'] satisfies Prefix[]) {
      const guest = makeRunCalls(blog, prefix, {})
      for (const { status } of [await guest.create(10), ...(await sendAll(guest, $id))])
        expect(status).toBe(401)
    }
    await blog.setRole(blog.ann.id, 'reader')
    const created = await blog.own.create(10)
    expect([created.status, created.body.type]).toEqual([403, 'user_is_reader'])
    expect((await blog.own.step($id, 'check', {})).body.type).toBe('user_is_reader')
    expect((await blog.own.put($id, 0, SMALL)).body.type).toBe('user_is_reader')
    expect((await blog.own.discard($id)).status).toBe(204)
  })

  test.each(['blocked', 'reader', 'deleted'])(
    'the import of a person who is %s stops',
    async (state) => {
      await using blog = await openBlog()
      const { ann, asKey } = blog
      const { id, job } = await makeRunning(blog, blog.own)
      if (state === 'reader') await blog.setRole(ann.id, 'reader')
      else if (state === 'deleted') await blog.call('DELETE', `/users/${ann.id}`, asKey)
      else
        await blog.call('PATCH', `/users/${ann.id}/status`, { ...asKey, body: { status: false } })
      await job.stopped
      if (state === 'reader')
        expect(await blog.own.until(id, 'paused')).toMatchObject({
          problem: 'Whoever requested it may not do this any more.',
        })
      if (state === 'deleted') await expect.poll(blog.pieces).toEqual([])
    },
  )

  test('the import of a former operator pauses, and another operator may go on with it', async () => {
    await using blog = await openBlog()
    const { id, job } = await makeRunning(blog, blog.whole)
    await blog.setRole(blog.ann.id, 'operator')
    await blog.setRole(blog.olga.id, 'author')
    await job.stopped
    const other = makeRunCalls(blog, '/operator', blog.asKey)
    await other.until(id, 'paused')
    expect((await blog.whole.read(id)).status).toBe(401)
    expect((await other.step(id, 'undo')).body.state).toBe('undoing')
  })
})

test('issues are listed as a table without formulas', async () => {
  await using blog = await openBlog()
  const { $id } = await blog.own.upload(SMALL)
  writeIssues(blog, $id, 150)
  const { body, headers } = await blog.own.issues($id)
  expect(headers.get('content-disposition')).toBe('attachment; filename="import-issues.csv"')
  expect(body.split('\r\n')).toHaveLength(152)
  expect(body.split('\r\n')[101]).toBe(
    `"post","'=101+1","without a title: named after its text","",""`,
  )
})
