// Who may do what with reports and cases: each caller and each call, over HTTP on both databases.
import { describe, expect, test } from 'vitest'
import { CALLERS, startWithCallers } from '#test/support/callers.ts'
import { DATABASES } from '#test/support/databases.ts'

type About = { postId: string; commentId: string; caseId: string }
type Call = (about: About) => [method: string, path: string, body?: object]

const CALLS: Record<string, Call> = {
  report: ({ postId, commentId }) => ['POST', '/reports', { postId, commentId, reason: 'spam' }],
  reportPost: ({ postId }) => ['POST', '/reports', { postId, reason: 'other', words: 'copied' }],
  own: ({ postId }) => ['GET', `/reports?postId=${postId}`],
  cases: () => ['GET', '/operator/cases'],
  case: ({ caseId }) => ['GET', `/operator/cases/${caseId}`],
  dismiss: ({ caseId }) => ['PATCH', `/operator/cases/${caseId}`, { action: 'dismiss' }],
  hide: ({ caseId }) => ['PATCH', `/operator/cases/${caseId}`, { action: 'hide' }],
}

/** Statuses in the order of CALLERS. A blocked user has no session. */
const MATRIX: Record<string, readonly number[]> = {
  report: [401, 201, 201, 201, 403, 201, 401, 401],
  reportPost: [401, 201, 403, 201, 201, 201, 401, 401],
  own: [401, 200, 200, 200, 200, 200, 401, 401],
  cases: [401, 401, 401, 401, 401, 200, 401, 200],
  case: [401, 401, 401, 401, 401, 200, 401, 200],
  dismiss: [401, 401, 401, 401, 401, 200, 401, 200],
  hide: [401, 401, 401, 401, 401, 200, 401, 200],
}

describe.each(DATABASES)('rights for reports on %s', (kind, tags) => {
  test('each caller gets the status of the matrix for each call', { tags }, async () => {
    await using started = await startWithCallers(kind)
    const { people, send, write, documents, as } = started
    const statuses: Record<string, number[]> = {}
    for (const [name, call] of Object.entries(CALLS)) {
      const makeCase = async () => {
        const postId = await documents.post(people.author)
        const { commentId } = await write(postId)
        if (name === 'report') return { postId, commentId, caseId: '' }
        await as('other', 'POST', '/reports', { postId, commentId, reason: 'spam' })
        const { list } = (await as('key', 'GET', '/operator/cases')).body
        const isOf = (item: { commentId: string }) => item.commentId === commentId
        return { postId, commentId, caseId: list.find(isOf)?.$id ?? '' }
      }
      let about = await makeCase()
      for (const caller of CALLERS) {
        const [method, ...rest] = call(about)
        const { status } = await send(caller, method, ...rest)
        statuses[name] = [...(statuses[name] ?? []), status]
        if (method === 'PATCH' && status === 200) about = await makeCase()
      }
    }
    expect(statuses).toEqual(MATRIX)
  })

  test('texts and names are plain text, limits hold, and nobody can report a post that they may not read', {
    tags,
  }, async () => {
    await using started = await startWithCallers(kind)
    const { people, as, write, documents } = started
    const postId = await documents.post(people.author)
    const { commentId } = await write(postId)
    const words = `</script><b onclick="x">\u202e ${'w'.repeat(400)}`
    const report = { postId, commentId, reason: 'insult', words }
    expect((await as('other', 'POST', '/reports', report)).body).toMatchObject({ words })
    expect(await as('other', 'POST', '/reports', report)).toMatchObject({
      status: 409,
      body: { type: 'report_already_exists' },
    })
    for (const invalid of [
      { words: 'w'.repeat(501) },
      { reason: 'boring' },
      { words: 'a\0b' },
      { commentId: '\0' },
    ])
      expect((await as('reader', 'POST', '/reports', { ...report, ...invalid })).status).toBe(400)
    const { list } = (await as('operator', 'GET', '/operator/cases')).body
    expect(list[0].reports).toMatchObject([{ words, userName: 'other' }])
    const members = await documents.post(people.author, {}, { permissions: [] })
    const missing = { postId: members, reason: 'spam' }
    expect((await as('other', 'POST', '/reports', missing)).status).toBe(404)
    await documents.patch(people.author, postId, { status: 'inactive' })
    expect((await as('reader', 'POST', '/reports', report)).status).toBe(404)
    expect((await as('operator', 'GET', '/operator/cases')).body).toMatchObject({
      waiting: 0,
      list: [],
    })
  })
})
