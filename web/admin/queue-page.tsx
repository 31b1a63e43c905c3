// /admin/queue: what was reported, comments that need approval, and what operators decided.

import { Ban, Clock, Flag } from 'lucide-react'
import { startTransition, useEffect, useOptimistic, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { commentElementId } from '#contract/post-url.ts'
import type { DecideCase, ReportCase, ReportCases } from '#contract/reports.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { Face } from '../comments/comment-item.tsx'
import { LocalDate } from '../dates/dates.tsx'
import { useRowFocus } from '../lists/list-parts.tsx'
import { forgetFeed } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { Link } from '../ui/link.tsx'
import { useAnnounce } from '../ui/live-region.tsx'
import { MessageScreen } from '../ui/screens.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { useStay, useToasts } from '../ui/toasts.tsx'
import { decideCase, failureText, listCases, readCase } from './admin-api.ts'
import { type AdminData, AdminPage, useAdminData, useNoteWaiting } from './admin-frame.tsx'
import { CursorPages, Done } from './list-parts.tsx'

const words = texts.adminQueue
/** What was decided stays for so long as a line that takes it back. */
const FOLDED_MS = 10_000

export function AdminQueuePage() {
  const page = useAdminData<ReportCases>(listCases)
  const navigate = useNavigate()
  const { search } = useLocation()
  const state = new URLSearchParams(search).get('state') === 'done' ? 'done' : 'waiting'
  // What is pressed is chosen at once, the address follows.
  const [chosenState, setChosenState] = useOptimistic(state)
  const queue = useQueue(page, state === 'done')
  const { ask, dialog } = useConfirm()
  const { waiting = 0 } = page.value ?? {}
  const askToBlock = (reportCase: ReportCase) =>
    ask({
      title: words.blocking.title(reportCase.author.name),
      text: words.blocking.text,
      confirmLabel: words.blockAll,
      isWide: true,
      onConfirm: () => queue.act(reportCase, { action: 'hide', block: true }),
    })
  useNoteWaiting(page.value?.waiting)
  const first = queue.cases.find(({ folded }) => !folded)?.found
  return (
    <AdminPage
      title={words.title}
      heading={queue.heading}
      page={page}
      action={
        <Segmented
          isBare
          legend={words.show}
          name="state"
          options={[
            { value: 'waiting', name: words.waiting(waiting) },
            { value: 'done', name: words.done },
          ]}
          now={chosenState}
          onChoose={(chosen) =>
            startTransition(async () => {
              setChosenState(chosen)
              await navigate(chosen === 'done' ? '?state=done' : '?')
            })
          }
        />
      }
    >
      {({ next }) => (
        <>
          {queue.cases.length === 0 ? (
            <MessageScreen
              isPart
              art="lit"
              title={
                state === 'done' ? words.nothingDone : waiting > 0 ? words.noneHere : words.empty
              }
              titleLevel={2}
            >
              {state === 'waiting' && waiting === 0 && <p>{words.emptyHint}</p>}
            </MessageScreen>
          ) : (
            <ul className="box lines cases" ref={queue.list}>
              {queue.cases.map(({ found, folded }) =>
                folded ? (
                  <FoldedCase key={found.$id} folded={folded} queue={queue} />
                ) : (
                  <Case
                    key={found.$id}
                    found={found}
                    isFirst={found === first}
                    queue={queue}
                    onBlock={() => askToBlock(found)}
                  />
                ),
              )}
            </ul>
          )}
          <CursorPages
            next={next}
            first={texts.comments.pages.first}
            further={texts.adminRows.next}
          />
          <p className="quiet">{words.told}</p>
          {dialog}
        </>
      )}
    </AdminPage>
  )
}

/** What became of a case just now. */
type Folded = { found: ReportCase; text: string; hasUndo: boolean }
type Queue = ReturnType<typeof useQueue>

function useQueue(page: AdminData<ReportCases>, isDone: boolean) {
  const api = useApi()
  const toasts = useToasts()
  const announce = useAnnounce()
  const heading = useRef<HTMLHeadingElement>(null)
  const { list, focusAfter } = useRowFocus(heading)
  const [foldedOnes, setFolded] = useState<Folded[]>([])
  /** By case, each after those before it. */
  const turns = useRef(new Map<string, Promise<string | undefined>>())
  /** The case that was just brought back: it gets the focus once it is there. */
  const back = useRef('')
  useEffect(() => {
    const row =
      back.current && list.current?.querySelector<HTMLElement>(`[data-row="${back.current}"]`)
    if (!row) return
    back.current = ''
    row.focus()
  })
  const drop = (id: string) => setFolded((all) => all.filter(({ found }) => found.$id !== id))

  function fold(found: ReportCase, text: string, hasUndo: boolean) {
    setFolded((all) => [
      ...all.filter((one) => one.found.$id !== found.$id),
      { found, text, hasUndo },
    ])
    announce(text)
  }
  /** @returns why it was not done */
  async function decide(found: ReportCase, decision: DecideCase): Promise<string | undefined> {
    const decided = await decideCase(api, found.$id, decision)
    const { action, block } = decision
    if (decided.ok) {
      fold(found, words.outcomes[block ? 'block' : (action as 'hide')], action !== 'reopen')
      forgetFeed()
    } else {
      const isLate = decided.failure.type === 'report_case_decided'
      const now = isLate ? await readCase(api, found.$id) : undefined
      if (!now?.ok || !now.value.decision) return failureText(decided.failure)
      const { action: done, byName, isByAuthor } = now.value.decision
      fold(
        found,
        words.already(done, byName || words[isByAuthor ? 'byAuthor' : 'byProgram']),
        false,
      )
    }
    return undefined
  }
  /** @returns why it was not done; says so in a toast unless it was asked before */
  async function take(found: ReportCase, decision: DecideCase): Promise<string | undefined> {
    let failed: string | undefined
    await focusAfter(found.$id, async () => {
      failed = await decide(found, decision)
      await page.reload()
      return failed === undefined
    })
    if (failed && !decision.block) toasts.show({ kind: 'error', text: failed })
    return failed
  }
  return {
    heading,
    list,
    cases: withFolded(page.value?.list ?? [], foldedOnes, isDone),
    drop,
    act(found: ReportCase, decision: DecideCase): Promise<string | undefined> {
      const same = turns.current.get(found.$id)
      if (same && !decision.block) return same
      const turn = Promise.all(turns.current.values()).then(() => take(found, decision))
      turns.current.set(found.$id, turn)
      return turn.finally(() => turns.current.delete(found.$id))
    },
    async undo({ found }: Folded): Promise<void> {
      const undone = await decideCase(api, found.$id, { action: 'reopen' })
      forgetFeed()
      back.current = found.$id
      await page.reload()
      drop(found.$id)
      if (!undone.ok) toasts.show({ kind: 'error', text: failureText(undone.failure) })
    },
  }
}

/** Each in its place. */
function withFolded(listed: ReportCase[], foldedOnes: Folded[], isDone: boolean) {
  const ofThis = foldedOnes.filter(({ found }) => (found.state === 'done') === isDone)
  const ids = new Set(ofThis.map(({ found }) => found.$id))
  const shown = [
    ...listed.filter(({ $id }) => !ids.has($id)).map((found) => ({ found, folded: undefined })),
    ...ofThis.map((folded) => ({ found: folded.found, folded })),
  ]
  const placeOf = ({ since, decision }: ReportCase) =>
    isDone ? -Date.parse(decision?.at ?? since) : Date.parse(since)
  return shown.sort((one, other) => placeOf(one.found) - placeOf(other.found))
}

type FoldedCaseProps = { folded: Folded; queue: Queue }

function FoldedCase({ folded, queue }: FoldedCaseProps) {
  const staying = useStay(() => queue.drop(folded.found.$id), FOLDED_MS)
  return (
    <li className="row cases__folded" {...staying}>
      {folded.text}
      {folded.hasUndo && (
        <Button kind="ghost" onClick={() => void queue.undo(folded)}>
          {texts.adminRows.undo}
        </Button>
      )}
    </li>
  )
}

type CaseProps = { found: ReportCase; isFirst: boolean; queue: Queue; onBlock: () => void }

function Case({ found, isFirst, queue, onBlock }: CaseProps) {
  const { $id, author, text, reports, reporters, since, decision } = found
  return (
    <li className="case" data-row={$id} tabIndex={-1}>
      <p className="hint row facts">
        <CaseChip found={found} />
        <span>
          <Where found={found} />
        </span>
        {decision ? (
          <Done done={{ ...decision, reason: '' }} />
        ) : (
          <LocalDate time={since} hasTime />
        )}
      </p>
      <div className="case__what">
        <Face name={author.name || UNKNOWN_USER_NAME} avatarId={author.avatar} />
        <b>
          <bdi>{author.name || words.deletedPerson}</bdi>
        </b>
        <blockquote dir="auto">{text}</blockquote>
      </div>
      {reports.length > 0 && (
        <div className="case__why">
          {reports.map(({ userId, userName, reason, words: said, time }) => (
            <p key={`${userId} ${time}`}>
              <b>
                <bdi>{userName || words.deletedPerson}</bdi>:
              </b>{' '}
              {texts.reports.reasons[reason]} {said && <bdi>{words.said(said)}</bdi>}
            </p>
          ))}
          {reporters > reports.length && <p>{words.moreReports(reporters - reports.length)}</p>}
        </div>
      )}
      <div className="row">
        <Actions found={found} isFirst={isFirst} queue={queue} onBlock={onBlock} />
      </div>
    </li>
  )
}

function CaseChip({ found: { kind, reporters, decision } }: Pick<CaseProps, 'found'>) {
  if (decision) return <span className="chip">{words.decisions[decision.action]}</span>
  const isApproval = kind === 'approval'
  const Icon = isApproval ? Clock : Flag
  return (
    <span className={isApproval ? 'chip chip--icon' : 'chip chip--icon chip--warn'}>
      <Icon className="icon icon--small" aria-hidden="true" />
      {isApproval ? words.needsApproval : words.reportedBy(reporters)}
    </span>
  )
}

function Where({ found: { postId, postTitle, commentId } }: Pick<CaseProps, 'found'>) {
  if (!postTitle) return <>{words.draft}</>
  const to = commentId
    ? { search: `?comment=${commentId}`, hash: `#${commentElementId(commentId)}` }
    : {}
  const link = (
    <Link className="link" to={{ pathname: `/post/${postId}`, ...to }}>
      <bdi>{postTitle}</bdi>
    </Link>
  )
  return commentId ? words.under(link) : words.post(link)
}

function Actions({ found, isFirst, queue, onBlock }: CaseProps) {
  const { kind, state, author, postId } = found
  const { userData } = useViewer()
  const act = (action: DecideCase['action']) => () => void queue.act(found, { action })
  if (state === 'done') return <Button onClick={act('reopen')}>{words.reopen}</Button>
  const bright = isFirst ? 'primary' : 'secondary'
  const isApproval = kind === 'approval'
  return (
    <>
      {isApproval && (
        <Button kind={bright} onClick={act('approve')}>
          {words.approve}
        </Button>
      )}
      <Button kind={isApproval ? 'ghost' : bright} data-shortcut="hide" onClick={act('hide')}>
        {words.hide[kind]}
      </Button>
      {!isApproval && (
        <Button data-shortcut="dismiss" onClick={act('dismiss')}>
          {words.dismiss}
        </Button>
      )}
      {author.id && author.id !== userData?.$id && !author.isBlocked && (
        <Button kind="ghost" className="is-danger" Icon={Ban} onClick={onBlock}>
          {words.blockAll}
        </Button>
      )}
      {kind === 'post' && (
        <ButtonLink kind="ghost" to={`/post/${postId}`}>
          {words.read}
        </ButtonLink>
      )}
    </>
  )
}
