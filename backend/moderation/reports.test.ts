// The rules of reports and cases on both databases: who reports what, what operators decide, and
// what they can undo.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { planOf } from '#test/support/plans.ts'
import { addPeople, viewerOf } from '#test/support/posts.ts'
import { listActivity } from '../activity/activity.ts'
import { onDomainEvent } from '../database/domain-events.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { selectWaitingDiscussions } from '../database/waiting-discussions.ts'
import { GUEST, type UserViewer, type Viewer } from '../http/viewer.ts'
import { REPORTED_CASES } from './case-list-store.ts'
import { countWaiting, decideCase, listCases, readCase } from './cases.ts'
import { openCaseForApproval } from './open-cases.ts'
import { anonymiseReportsOf, createReport, listOwnReports, streamReportsOf } from './reports.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const carol = viewerOf('carol')
const operator: UserViewer = { ...viewerOf('operator'), accountRole: 'operator' }
const KEY: Viewer = { role: 'key' }

async function start(db: Database) {
  const comments = await makeTestComments(db, ['bob', 'carol', 'dora', 'second'])
  const labels = JSON.stringify(['operator'])
  await db.updateTable('user').set({ labels }).where('id', '=', 'second').execute()
  const { context } = comments
  onDomainEvent(db, (tx, _after, event) => openCaseForApproval(context, tx, event))
  const report = (who: UserViewer, commentId: string | undefined, reason = 'spam', words = '') =>
    createReport(context, who, { postId: 'p', ...(commentId && { commentId }), reason, words })
  const waiting = async () => (await listCases(context, { state: 'waiting' })).list
  const decide = (id: string, action: string, more: object = {}, who: Viewer = operator) =>
    decideCase(context, who, id, { action, ...more })
  return { ...comments, report, waiting, decide }
}

describeEachDatabase('reports', (open, name) => {
  test('reported cases are counted without reading comments that need approval', async () => {
    await using opened = await open()
    const { db } = opened
    const { write, report } = await start(db)
    const reported = await write(bob, 'reported')
    await report(carol, reported.$id)
    await sql`with recursive number(at) as
        (select cast(1 as integer) union all select at + 1 from number where at < 3000)
      insert into comment (id, "discussionSeq", "parentId", place, "userId", status, "hasLinks",
        digest, "createdAt", "updatedAt", content)
      select 'c' || at, (select seq from discussion), '', at + 1, 'bob', 'waiting', 0, '', '', '',
        'words' from number`.execute(db)
    await sql`insert into "reportCase" (id, "commentId", "isWaiting", place, since)
      select id, id, 1, seq, '2023-11-20T13:37:00.000Z' from comment where status = 'waiting'`.execute(
      db,
    )
    if (name === 'PostgreSQL') await sql`analyze`.execute(db)
    expect([await countWaiting(db, true), await countWaiting(db)]).toMatchObject([
      { waiting: 1 },
      { waiting: 1000 },
    ])
    const reportCase = selectWaitingDiscussions(db, REPORTED_CASES).compile(db)
    expect((await planOf(db, reportCase, name)).join(' ')).toContain('caseReportedOf')
  })

  test('cases about deleted posts, hidden posts and drafts do not wait, and pages skip no others', async () => {
    await using opened = await open()
    const { db, posts, context, ids } = await startWithWaiting(opened.db)
    await posts.remove(alice, 'p', { unlessNewerThan: undefined })
    await setPost(db, 'q', { isHidden: 1 })
    const cases = await listCases(context, { state: 'waiting', limit: '4' })
    const next = await listCases(context, { state: 'waiting', limit: '4', cursor: cases.next })
    const expectedIds = [0, 1, 2].flatMap((round) => ['r', 's'].map((id) => ids[id]?.[round]))
    expect([...cases.list, ...next.list].map(({ commentId }) => commentId)).toEqual(expectedIds)
    expect([cases.waiting, cases.since, next.next]).toEqual([6, cases.list[0]?.since, ''])
    await setPost(db, 'r', { status: 'inactive' })
    expect(await countWaiting(db)).toMatchObject({ waiting: 3 })
  })

  test('operators can list waiting comments on hidden posts, but not on deleted ones', async () => {
    await using opened = await open()
    const { db, posts, list } = await startWithWaiting(opened.db)
    await posts.remove(alice, 'p', { unlessNewerThan: undefined })
    await setPost(db, 'q', { isHidden: 1 })
    const waiting = JSON.stringify({ method: 'equal', attribute: 'status', values: ['waiting'] })
    const { total, documents } = await list(operator, [waiting])
    expect([total, documents.length]).toEqual([9, 9])
  })

  test('comments by blocked people do not wait', async () => {
    await using opened = await open()
    const { db } = await startWithWaiting(opened.db)
    expect(await countWaiting(db)).toMatchObject({ waiting: 12 })
    await db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', 'dora').execute()
    expect(await countWaiting(db)).toEqual({ waiting: 0, since: '' })
  })

  /** Three waiting comments by dora on each of four posts; `ids` are their ids by post. */
  async function startWithWaiting(db: Database) {
    const started = await start(db)
    const { site, posts, close, write } = started
    site.approveFirst = 'on'
    const ids: Record<string, string[]> = { p: [], q: [], r: [], s: [] }
    for (const id of ['q', 'r', 's']) await posts.write(alice, id)
    for (const id of Object.keys(ids)) await close(alice, id, false)
    for (let round = 0; round < 3; round++)
      for (const postId of Object.keys(ids)) {
        posts.passSeconds(1)
        const { $id } = await write(viewerOf('dora'), `${postId} ${round}`, { postId })
        ids[postId]?.push($id)
      }
    return { ...started, ids }
  }

  const setPost = (db: Database, id: string, row: { isHidden: number } | { status: string }) =>
    db.updateTable('post').set(row).where('id', '=', id).execute()

  test('a comment that is hidden while it waits is a case again when it is shown', async () => {
    await using opened = await open()
    const { site, write, hideAll, waiting } = await start(opened.db)
    site.approveFirst = 'on'
    const { $id } = await write(bob, 'First words')
    await hideAll(alice, 'p', { userId: 'bob', isHidden: true })
    expect(await waiting()).toEqual([])
    await hideAll(alice, 'p', { userId: 'bob', isHidden: false })
    const [reopened, ...others] = await waiting()
    expect([reopened, others]).toMatchObject([{ kind: 'approval', commentId: $id }, []])
  })

  test('Activity does not name the title of a draft', async () => {
    await using opened = await open()
    const { db, report, waiting, decide } = await start(opened.db)
    await report(carol, undefined)
    const [ofPost] = await waiting()
    const draft = { title: 'A secret', status: 'inactive' }
    await db.updateTable('post').set(draft).where('id', '=', 'p').execute()
    await decide(ofPost?.$id ?? '', 'dismiss')
    const entries = await db.selectFrom('activity').selectAll().execute()
    expect(entries.length).toBeGreaterThan(0)
    expect(JSON.stringify(entries)).not.toContain('A secret')
  })

  test('all reports of a comment are one case, which shows the reported text', async () => {
    await using opened = await open()
    const { write, report, waiting } = await start(opened.db)
    const { $id } = await write(bob, 'Cheap ferries')
    await report(carol, $id, 'spam', ' under three posts ')
    await report(alice, $id, 'insult')
    const [reported, ...others] = await waiting()
    expect(others).toEqual([])
    expect(reported).toMatchObject({
      kind: 'comment',
      state: 'waiting',
      commentId: $id,
      postId: 'p',
      reporters: 2,
      text: 'Cheap ferries',
      status: 'shown',
      author: { id: 'bob', isBlocked: false },
      reports: [
        { userId: 'alice', reason: 'insult', words: '' },
        { userId: 'carol', userName: 'The carol', reason: 'spam', words: 'under three posts' },
      ],
    })
    expect(reported).not.toHaveProperty('decision')
  })

  test('a post and its comments have cases of their own', async () => {
    await using opened = await open()
    const { write, report, waiting } = await start(opened.db)
    const { $id } = await write(bob, 'Cheap ferries')
    await report(carol, $id)
    await report(bob, undefined, 'other')
    expect(await waiting()).toMatchObject([
      { kind: 'comment', commentId: $id, postId: 'p', reporters: 1 },
      { kind: 'post', commentId: '', postId: 'p', reporters: 1 },
    ])
  })

  test('a person can report a comment once, but neither their own comments nor their own posts', async () => {
    await using opened = await open()
    const { write, report, waiting } = await start(opened.db)
    const { $id } = await write(bob, 'Cheap ferries')
    await report(carol, $id)
    await expect(report(carol, $id)).rejects.toMatchObject({ type: 'report_already_exists' })
    await expect(report(bob, $id)).rejects.toMatchObject({ type: 'report_own' })
    await expect(report(alice, undefined)).rejects.toMatchObject({ type: 'report_own' })
    expect(await waiting()).toMatchObject([{ commentId: $id, reporters: 1 }])
  })

  test('people can list their own reports of a post', async () => {
    await using opened = await open()
    const { context, write, report } = await start(opened.db)
    const { $id } = await write(bob, 'Cheap ferries')
    await report(carol, $id, 'spam', ' under three posts ')
    await report(alice, $id, 'insult')
    expect(await listOwnReports(context, carol, 'p')).toMatchObject({
      total: 1,
      reports: [{ commentId: $id, state: 'waiting', words: 'under three posts' }],
    })
    const exported = await Array.fromAsync(streamReportsOf(context, alice))
    expect(exported).toMatchObject([{ $id: expect.stringMatching(/./) }])
  })

  test('the reports by a deleted account remain without its name and words', async () => {
    await using opened = await open()
    const { db, context, write, report, waiting } = await start(opened.db)
    const { $id } = await write(bob, 'Cheap ferries')
    await report(carol, $id, 'spam', ' under three posts ')
    await report(alice, $id, 'insult')
    await inTransaction(db, context.background, (tx) => anonymiseReportsOf(tx, 'carol'))
    expect((await waiting())[0]?.reports[1]).toMatchObject({ userId: '', userName: '', words: '' })
  })

  test('nobody can report what they may not read', async () => {
    await using opened = await open()
    const { posts, context, write, update, report, waiting, site } = await start(opened.db)
    const { $id } = await write(bob, 'Hidden')
    await update(alice, $id, { status: 'hidden' })
    const missing = { type: 'document_not_found' }
    await expect(report(carol, $id)).rejects.toMatchObject(missing)
    await posts.write(bob, 'draft', { status: 'inactive' })
    const ofDraft = { postId: 'draft', reason: 'spam' }
    await expect(createReport(context, carol, ofDraft)).rejects.toMatchObject(missing)
    const other = await write(bob, 'Elsewhere')
    const wrong = { postId: 'draft', commentId: other.$id, reason: 'spam' }
    await expect(createReport(context, carol, wrong)).rejects.toMatchObject(missing)
    site.comments = 'off'
    await expect(report(carol, other.$id)).rejects.toMatchObject(missing)
    expect(await waiting()).toEqual([])
  })

  /** A case of a comment by bob that carol has reported. */
  async function startWithCase(db: Database) {
    const started = await start(db)
    const { $id: commentId } = await started.write(bob, 'Cheap ferries')
    await started.report(carol, commentId)
    const [{ $id: caseId } = { $id: '' }] = await started.waiting()
    return { ...started, commentId, caseId }
  }

  test('a comment is hidden with its case, which says who did it', async () => {
    await using opened = await open()
    const { read, waiting, decide, context, commentId, caseId } = await startWithCase(opened.db)
    expect(await decide(caseId, 'hide', { reason: 'No advertising' })).toMatchObject({
      state: 'done',
      status: 'hidden',
      text: 'Cheap ferries',
      decision: { action: 'hidden', byId: 'operator', byName: 'The operator', hasBlocked: false },
    })
    expect(await read(GUEST, commentId)).toMatchObject({ content: '', hiddenBy: 'operator' })
    expect(await waiting()).toEqual([])
    expect((await listCases(context, { state: 'done' })).list).toHaveLength(1)
  })

  test('reporters see that their report was reviewed', async () => {
    await using opened = await open()
    const { decide, context, caseId } = await startWithCase(opened.db)
    await decide(caseId, 'hide')
    expect(await listOwnReports(context, carol, 'p')).toMatchObject({
      reports: [{ state: 'reviewed' }],
    })
  })

  test('a case is decided once, and the refusal says who was first', async () => {
    await using opened = await open()
    const { decide, read, commentId, caseId } = await startWithCase(opened.db)
    await decide(caseId, 'hide')
    await expect(decide(caseId, 'dismiss', {}, KEY)).rejects.toMatchObject({
      type: 'report_case_decided',
      message: 'The operator has already hidden this.',
    })
    expect(await read(GUEST, commentId)).toMatchObject({ content: '', hiddenBy: 'operator' })
  })

  test('a case that is reopened shows the comment again', async () => {
    await using opened = await open()
    const { decide, read, commentId, caseId } = await startWithCase(opened.db)
    await decide(caseId, 'hide')
    expect(await decide(caseId, 'reopen')).toMatchObject({ state: 'waiting', status: 'shown' })
    expect(await read(GUEST, commentId)).toMatchObject({ content: 'Cheap ferries', hiddenBy: '' })
  })

  test('a new report opens a dismissed case again', async () => {
    await using opened = await open()
    const { decide, report, waiting, commentId, caseId } = await startWithCase(opened.db)
    expect(await decide(caseId, 'dismiss')).toMatchObject({ decision: { action: 'dismissed' } })
    await report(alice, commentId)
    expect(await waiting()).toMatchObject([{ $id: caseId, reporters: 2 }])
  })

  test('a reported comment is not approved, and members decide nothing', async () => {
    await using opened = await open()
    const { decide, waiting, caseId } = await startWithCase(opened.db)
    await expect(decide(caseId, 'approve')).rejects.toMatchObject({
      type: 'general_argument_invalid',
    })
    await expect(decide(caseId, 'hide', {}, alice)).rejects.toMatchObject({
      type: 'user_unauthorized',
    })
    expect(await waiting()).toMatchObject([{ $id: caseId, state: 'waiting' }])
  })

  test('Activity has an entry for each decision', async () => {
    await using opened = await open()
    const { decide, report, update, context, commentId, caseId } = await startWithCase(opened.db)
    await decide(caseId, 'hide', { reason: 'No advertising' })
    await decide(caseId, 'reopen')
    await decide(caseId, 'dismiss')
    await report(alice, commentId)
    await update(operator, commentId, { status: 'hidden' })
    const { list } = await listActivity(context, {})
    const entries = list.map(({ action, subjectName, details }) => [
      action,
      subjectName,
      details.reason,
    ])
    expect(entries.reverse()).toEqual([
      ['hidden', 'p', 'No advertising'],
      ['shown', 'p', undefined],
      ['reportDismissed', 'p', undefined],
      ['hidden', 'p', undefined],
    ])
  })

  /** Two comments that wait for approval, with their cases. */
  async function startWithApprovals(db: Database) {
    const started = await start(db)
    const { site, write, waiting } = started
    site.approveFirst = 'on'
    const comments = [await write(bob, 'The first'), await write(carol, 'The second')]
    const commentIds = comments.map(({ $id }) => $id) as [string, string]
    const cases = await waiting()
    const caseIds = cases.map(({ $id }) => $id) as [string, string]
    return { ...started, commentIds, cases, caseIds }
  }

  test('each comment that waits for approval is a case', async () => {
    await using opened = await open()
    const { cases, commentIds } = await startWithApprovals(opened.db)
    const [first, second] = commentIds
    expect(cases).toMatchObject([
      { kind: 'approval', status: 'waiting', commentId: first, text: 'The first', reporters: 0 },
      { kind: 'approval', commentId: second },
    ])
  })

  test('a comment is approved with its case, and waits again when the case is reopened', async () => {
    await using opened = await open()
    const { decide, read, waiting, commentIds, caseIds } = await startWithApprovals(opened.db)
    const [caseId] = caseIds
    expect(await decide(caseId, 'approve')).toMatchObject({ decision: { action: 'approved' } })
    expect(await read(GUEST, commentIds[0])).toMatchObject({ content: 'The first' })
    expect(await decide(caseId, 'reopen')).toMatchObject({ state: 'waiting', status: 'waiting' })
    await expect(read(GUEST, commentIds[0])).rejects.toMatchObject({ type: 'document_not_found' })
    expect((await waiting()).map(({ $id }) => $id)).toEqual([caseIds[1], caseId])
  })

  test('a comment that its post’s author hides is a decided case, which operators can reopen', async () => {
    await using opened = await open()
    const { decide, update, context, commentIds, caseIds } = await startWithApprovals(opened.db)
    await update(alice, commentIds[1], { status: 'hidden' })
    expect(await readCase(context, caseIds[1])).toMatchObject({
      decision: { action: 'hidden', isByAuthor: true, byId: 'alice' },
    })
    expect(await decide(caseIds[1], 'reopen')).toMatchObject({ status: 'waiting' })
  })

  test('a comment that waits for approval is not dismissed', async () => {
    await using opened = await open()
    const { decide, waiting, caseIds } = await startWithApprovals(opened.db)
    await expect(decide(caseIds[0], 'dismiss')).rejects.toMatchObject({
      type: 'general_argument_invalid',
    })
    expect((await waiting()).map(({ $id }) => $id)).toEqual(caseIds)
  })

  /** Two reported comments by bob, who also has a post and a comment that was hidden before. */
  async function startWithTwoReported(db: Database) {
    const started = await start(db)
    const { posts, write, update, report, waiting } = started
    await posts.write(bob, 'of-bob')
    const reported = await write(bob, 'one')
    const other = await write(bob, 'two')
    const before = await write(bob, 'hidden before')
    await update(alice, before.$id, { status: 'hidden' })
    await report(carol, reported.$id)
    await report(carol, other.$id)
    const [{ $id: caseId } = { $id: '' }] = await waiting()
    return { ...started, caseId, reported, other, before }
  }

  test('hiding with a block hides all that the person wrote, and ends their cases', async () => {
    await using opened = await open()
    const started = await startWithTwoReported(opened.db)
    const { posts, waiting, decide, counts, read, caseId, other } = started
    expect(await decide(caseId, 'hide', { block: true })).toMatchObject({
      decision: { hasBlocked: true },
      author: { isBlocked: true },
    })
    expect(await waiting()).toEqual([])
    expect(await read(GUEST, other.$id)).toMatchObject({ content: '', hiddenBy: 'operator' })
    await expect(posts.read(GUEST, 'of-bob')).rejects.toMatchObject({ type: 'document_not_found' })
    expect((await counts()).stored).toEqual((await counts()).counted)
  })

  test('a reopened case ends the block, and shows all but what was hidden before', async () => {
    await using opened = await open()
    const started = await startWithTwoReported(opened.db)
    const { db, waiting, decide, counts, read, caseId, reported, other, before } = started
    await decide(caseId, 'hide', { block: true })
    await decide(caseId, 'reopen')
    expect((await waiting()).map(({ commentId }) => commentId)).toEqual([reported.$id, other.$id])
    expect(await read(GUEST, other.$id)).toMatchObject({ content: 'two' })
    expect(await read(GUEST, before.$id)).toMatchObject({ content: '', hiddenBy: 'author' })
    expect((await counts()).stored).toEqual((await counts()).counted)
    const user = db.selectFrom('user').select('isBlocked').where('id', '=', 'bob')
    expect(await user.executeTakeFirst()).toEqual({ isBlocked: 0 })
  })

  test('a decision of the API key names nobody', async () => {
    await using opened = await open()
    const { decide, caseId } = await startWithCase(opened.db)
    expect(await decide(caseId, 'hide', { block: true }, KEY)).toMatchObject({
      decision: { byId: '', byName: '' },
    })
  })

  test('a reported post is hidden with its case, and shown when the case is reopened', async () => {
    await using opened = await open()
    const { posts, report, waiting, decide } = await start(opened.db)
    await report(bob, undefined, 'illegal')
    const [{ $id: caseId } = { $id: '' }] = await waiting()
    expect(await decide(caseId, 'hide')).toMatchObject({ kind: 'post', status: 'hidden' })
    await expect(posts.read(GUEST, 'p')).rejects.toMatchObject({ type: 'document_not_found' })
    expect(await decide(caseId, 'reopen')).toMatchObject({ status: 'shown' })
    expect(await posts.read(GUEST, 'p')).toMatchObject({ $id: 'p' })
  })

  test('the case of a comment ends when the comment is deleted, with or without replies', async () => {
    await using opened = await open()
    const { report, waiting, write, remove } = await start(opened.db)
    const parent = await write(bob, 'with a reply')
    await write(carol, 'the reply', { parentId: parent.$id })
    const single = await write(bob, 'alone')
    for (const { $id } of [parent, single]) await report(carol, $id)
    expect(await waiting()).toHaveLength(2)
    for (const { $id } of [parent, single]) await remove(bob, $id)
    expect(await waiting()).toEqual([])
  })

  test('the case of a post ends when the post is deleted', async () => {
    await using opened = await open()
    const { posts, report, waiting } = await start(opened.db)
    await report(bob, undefined, 'illegal')
    expect(await waiting()).toHaveLength(1)
    await posts.remove(alice, 'p', { unlessNewerThan: undefined })
    expect(await waiting()).toEqual([])
  })

  test('twenty people report, and two operators decide at once: one case, one decision', async () => {
    await using opened = await open()
    const { db, write, report, waiting, decide } = await start(opened.db)
    const { $id } = await write(bob, 'Cheap ferries')
    const names = Array.from({ length: 20 }, (_, at) => `reporter-${at}`)
    await addPeople(db, names)
    await Promise.all(names.map((name) => report(viewerOf(name), $id)))
    const [reportCase, ...others] = await waiting()
    expect([reportCase?.reporters, others]).toEqual([20, []])
    const second: UserViewer = { ...viewerOf('second'), accountRole: 'operator' }
    const id = reportCase?.$id ?? ''
    const answers = await Promise.allSettled([
      decide(id, 'hide'),
      decide(id, 'dismiss', {}, second),
      decide(id, 'hide', {}, KEY),
    ])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ type: 'report_case_decided' })
  })
})
