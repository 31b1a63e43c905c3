// The rules of reports and cases on both databases: who reports what, what operators decide, and
// what of it is taken back.
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
import { openCaseOfWaiting } from './open-cases.ts'
import { createReport, listOwnReports, removeReportsOf, streamReportsOf } from './reports.ts'

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
  onDomainEvent(db, (tx, _after, event) => openCaseOfWaiting(context, tx, event))
  const report = (who: UserViewer, commentId: string | undefined, reason = 'spam', words = '') =>
    createReport(context, who, { postId: 'p', ...(commentId && { commentId }), reason, words })
  const waiting = async () => (await listCases(context, { state: 'waiting' })).list
  const decide = (id: string, action: string, more: object = {}, who: Viewer = operator) =>
    decideCase(context, who, id, { action, ...more })
  return { ...comments, report, waiting, decide }
}

describeEachDatabase('reports', (open, name) => {
  test('reported ones are counted without passing over comments that need approval', async () => {
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
    const found = selectWaitingDiscussions(db, REPORTED_CASES).compile(db)
    expect((await planOf(db, found, name)).join(' ')).toContain('caseReportedOf')
  })

  test('of posts in the bin, hidden ones and drafts nothing that waits is passed over or counted', async () => {
    await using opened = await open()
    const { db, site, posts, write, close, list, context } = await start(opened.db)
    site.approveFirst = 'on'
    const ids = ['p', 'q', 'r', 's']
    for (const id of ids.slice(1)) await posts.write(alice, id)
    for (const id of ids) await close(alice, id, false)
    const written: Record<string, string[]> = { p: [], q: [], r: [], s: [] }
    for (let round = 0; round < 3; round++)
      for (const postId of ids) {
        posts.pass(1)
        const { $id } = await write(viewerOf('dora'), `${postId} ${round}`, { postId })
        written[postId]?.push($id)
      }
    await posts.remove(alice, 'p', { unlessNewerThan: undefined })
    const ofPost = (id: string) => db.updateTable('post').where('id', '=', id)
    await ofPost('q').set({ isHidden: 1 }).execute()
    const asked = JSON.stringify({ method: 'equal', attribute: 'status', values: ['waiting'] })
    const all = await list(operator, [asked])
    expect([all.total, all.documents.length]).toEqual([9, 9])
    const shown = [0, 1, 2].flatMap((round) => ['r', 's'].map((id) => written[id]?.[round]))
    const cases = await listCases(context, { state: 'waiting', limit: '4' })
    const next = await listCases(context, { state: 'waiting', limit: '4', cursor: cases.next })
    expect([...cases.list, ...next.list].map(({ commentId }) => commentId)).toEqual(shown)
    expect([cases.waiting, cases.since, next.next]).toEqual([6, cases.list[0]?.since, ''])
    await ofPost('r').set({ status: 'inactive' }).execute()
    expect(await countWaiting(db)).toMatchObject({ waiting: 3 })
    await db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', 'dora').execute()
    expect(await countWaiting(db)).toEqual({ waiting: 0, since: '' })
  })

  test('a comment that waits again is in the queue again; of a draft no title stands in Activity', async () => {
    await using opened = await open()
    const { db, site, write, hideAll, report, waiting, decide } = await start(opened.db)
    site.approveFirst = 'on'
    const { $id } = await write(bob, 'First words')
    await hideAll(alice, 'p', { userId: 'bob', isHidden: true })
    expect(await waiting()).toEqual([])
    await hideAll(alice, 'p', { userId: 'bob', isHidden: false })
    const [again, ...others] = await waiting()
    expect([again, others]).toMatchObject([{ kind: 'approval', commentId: $id }, []])
    await report(carol, undefined)
    const [, ofPost] = await waiting()
    const draft = { title: 'A secret', status: 'inactive' }
    await db.updateTable('post').set(draft).where('id', '=', 'p').execute()
    await decide(ofPost?.$id ?? '', 'dismiss')
    const told = await db.selectFrom('activity').selectAll().execute()
    expect(told.length).toBeGreaterThan(0)
    expect(JSON.stringify(told)).not.toContain('A secret')
  })

  test('one thing is one case with all its reports, once per person, never of one’s own', async () => {
    await using opened = await open()
    const { db, context, write, report, waiting } = await start(opened.db)
    const { $id } = await write(bob, 'Cheap ferries')
    await report(carol, $id, 'spam', ' under three posts ')
    await report(alice, $id, 'insult')
    await expect(report(carol, $id)).rejects.toMatchObject({ type: 'report_already_exists' })
    await expect(report(bob, $id)).rejects.toMatchObject({ type: 'report_own' })
    await expect(report(alice, undefined)).rejects.toMatchObject({ type: 'report_own' })
    await report(bob, undefined, 'other')
    const [first, second, ...others] = await waiting()
    expect(others).toEqual([])
    expect(first).toMatchObject({
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
    expect(first).not.toHaveProperty('decision')
    expect(second).toMatchObject({ kind: 'post', commentId: '', postId: 'p', reporters: 1 })
    expect(await listOwnReports(context, carol, 'p')).toMatchObject({
      total: 1,
      reports: [{ commentId: $id, state: 'waiting', words: 'under three posts' }],
    })
    await inTransaction(db, context.background, (tx) => removeReportsOf(tx, 'carol'))
    expect((await waiting())[0]?.reports[1]).toMatchObject({ userId: '', userName: '', words: '' })
    expect(await Array.fromAsync(streamReportsOf(context, alice))).toMatchObject([{ $id: /./ }])
  })

  test('what one may not read is not there to be reported', async () => {
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

  test('hide, dismiss and their undo; a case that is done says who did what', async () => {
    await using opened = await open()
    const { write, update, read, report, waiting, decide, context } = await start(opened.db)
    const { $id } = await write(bob, 'Cheap ferries')
    await report(carol, $id)
    const [{ $id: id } = { $id: '' }] = await waiting()
    const hidden = await decide(id, 'hide', { reason: 'No advertising' })
    expect(hidden).toMatchObject({
      state: 'done',
      status: 'hidden',
      text: 'Cheap ferries',
      decision: { action: 'hidden', byId: 'operator', byName: 'The operator', hasBlocked: false },
    })
    expect(await read(GUEST, $id)).toMatchObject({ content: '', hiddenBy: 'operator' })
    await expect(decide(id, 'dismiss', {}, KEY)).rejects.toMatchObject({
      type: 'report_case_decided',
      message: 'The operator has already hidden this.',
    })
    expect(await waiting()).toEqual([])
    expect((await listCases(context, { state: 'done' })).list).toHaveLength(1)
    expect(await listOwnReports(context, carol, 'p')).toMatchObject({
      reports: [{ state: 'reviewed' }],
    })
    expect(await decide(id, 'reopen')).toMatchObject({ state: 'waiting', status: 'shown' })
    expect(await read(GUEST, $id)).toMatchObject({ content: 'Cheap ferries', hiddenBy: '' })
    expect(await decide(id, 'dismiss')).toMatchObject({ decision: { action: 'dismissed' } })
    await report(alice, $id)
    expect(await waiting()).toMatchObject([{ $id: id, reporters: 2 }])
    await expect(decide(id, 'approve')).rejects.toMatchObject({ type: 'general_argument_invalid' })
    await expect(decide(id, 'hide', {}, alice)).rejects.toMatchObject({ type: 'user_unauthorized' })
    await update(operator, $id, { status: 'hidden' })
    const { list } = await listActivity(context, {})
    const told = list.map(({ action, subjectName, details }) => [
      action,
      subjectName,
      details.reason,
    ])
    expect(told.reverse()).toEqual([
      ['hidden', 'p', 'No advertising'],
      ['shown', 'p', undefined],
      ['reportDismissed', 'p', undefined],
      ['hidden', 'p', undefined],
    ])
  })

  test('a comment that needs approval is a case until somebody approves or hides it', async () => {
    await using opened = await open()
    const { write, update, read, waiting, decide, site, context } = await start(opened.db)
    site.approveFirst = 'on'
    const one = await write(bob, 'The first')
    const two = await write(carol, 'The second')
    const cases = await waiting()
    expect(cases).toMatchObject([
      { kind: 'approval', status: 'waiting', commentId: one.$id, text: 'The first', reporters: 0 },
      { kind: 'approval', commentId: two.$id },
    ])
    const [first, second] = cases.map(({ $id }) => $id) as [string, string]
    await expect(decide(first, 'dismiss')).rejects.toMatchObject({
      type: 'general_argument_invalid',
    })
    expect(await decide(first, 'approve')).toMatchObject({ decision: { action: 'approved' } })
    expect(await read(GUEST, one.$id)).toMatchObject({ content: 'The first' })
    expect(await decide(first, 'reopen')).toMatchObject({ state: 'waiting', status: 'waiting' })
    await expect(read(GUEST, one.$id)).rejects.toMatchObject({ type: 'document_not_found' })
    await update(alice, two.$id, { status: 'hidden' })
    expect(await readCase(context, second)).toMatchObject({
      decision: { action: 'hidden', isByAuthor: true, byId: 'alice' },
    })
    expect(await decide(second, 'reopen')).toMatchObject({ status: 'waiting' })
    expect((await waiting()).map(({ $id }) => $id)).toEqual([first, second])
  })

  test('block and hide all in one press, and the undo of it', async () => {
    await using opened = await open()
    const started = await start(opened.db)
    const { db, posts, write, update, report, waiting, decide, counts, read } = started
    await posts.write(bob, 'of-bob')
    const reported = await write(bob, 'one')
    const other = await write(bob, 'two')
    const before = await write(bob, 'hidden before')
    await update(alice, before.$id, { status: 'hidden' })
    await report(carol, reported.$id)
    await report(carol, other.$id)
    const [{ $id: id } = { $id: '' }] = await waiting()
    expect(await decide(id, 'hide', { block: true })).toMatchObject({
      decision: { hasBlocked: true },
      author: { isBlocked: true },
    })
    expect(await waiting()).toEqual([])
    expect(await read(GUEST, other.$id)).toMatchObject({ content: '', hiddenBy: 'operator' })
    await expect(posts.read(GUEST, 'of-bob')).rejects.toMatchObject({ type: 'document_not_found' })
    expect((await counts()).stored).toEqual((await counts()).counted)
    await decide(id, 'reopen')
    expect((await waiting()).map(({ commentId }) => commentId)).toEqual([reported.$id, other.$id])
    expect(await read(GUEST, other.$id)).toMatchObject({ content: 'two' })
    expect(await read(GUEST, before.$id)).toMatchObject({ content: '', hiddenBy: 'author' })
    expect((await counts()).stored).toEqual((await counts()).counted)
    const user = db.selectFrom('user').select('isBlocked').where('id', '=', 'bob')
    expect(await user.executeTakeFirst()).toEqual({ isBlocked: 0 })
    await expect(decide(id, 'hide', { block: true }, KEY)).resolves.toMatchObject({
      decision: { byId: '', byName: '' },
    })
  })

  test('a reported post is hidden, and shown again; a case goes with its thing', async () => {
    await using opened = await open()
    const { posts, report, waiting, decide, write, remove } = await start(opened.db)
    await report(bob, undefined, 'illegal')
    const [{ $id: id } = { $id: '' }] = await waiting()
    expect(await decide(id, 'hide')).toMatchObject({ kind: 'post', status: 'hidden' })
    await expect(posts.read(GUEST, 'p')).rejects.toMatchObject({ type: 'document_not_found' })
    expect(await decide(id, 'reopen')).toMatchObject({ status: 'shown' })
    const parent = await write(bob, 'with a reply')
    await write(carol, 'the reply', { parentId: parent.$id })
    const single = await write(bob, 'alone')
    for (const one of [parent, single]) await report(carol, one.$id)
    expect(await waiting()).toHaveLength(3)
    await remove(bob, parent.$id)
    await remove(bob, single.$id)
    expect(await waiting()).toHaveLength(1)
    await posts.remove(alice, 'p', { unlessNewerThan: undefined })
    expect(await waiting()).toEqual([])
  })

  test('twenty people report, and two operators decide at once: one case, one decision', async () => {
    await using opened = await open()
    const { db, write, report, waiting, decide } = await start(opened.db)
    const { $id } = await write(bob, 'Cheap ferries')
    const names = Array.from({ length: 20 }, (_none, at) => `reporter-${at}`)
    await addPeople(db, names)
    await Promise.all(names.map((name) => report(viewerOf(name), $id)))
    const [found, ...others] = await waiting()
    expect([found?.reporters, others]).toEqual([20, []])
    const second: UserViewer = { ...viewerOf('second'), accountRole: 'operator' }
    const id = found?.$id ?? ''
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
