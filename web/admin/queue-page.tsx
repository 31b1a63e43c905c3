// /admin/queue: reported posts and comments, comments that need approval, and decided cases.

import { Ban, Clock, Flag } from 'lucide-react'
import { type RefObject, startTransition, useEffect, useOptimistic, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { commentElementId } from '#contract/post-url.ts'
import type { DecideCase, ReportCase, ReportCases } from '#contract/reports.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { CommentAvatar } from '../comments/comment-item.tsx'
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
import { useDismissTimer, useToasts } from '../ui/toasts.tsx'
import { decideCase, failureText, listCases, readCase } from './admin-api.ts'
import { type AdminData, AdminPage, useAdminData, useShowWaitingCount } from './admin-frame.tsx'
import { CursorPages, Done } from './list-parts.tsx'

const words = texts.adminQueue
/** A decided case stays for this long, folded to a row with an undo button. */
const FOLDED_MS = 10_000

export function AdminQueuePage() {
  const page = useAdminData<ReportCases>(listCases)
  const navigate = useNavigate()
  const { search } = useLocation()
  const state = new URLSearchParams(search).get('state') === 'done' ? 'done' : 'waiting'
  // The chosen state is shown at once; the address changes later.
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
  useShowWaitingCount(page.value?.waiting)
  const firstCase = queue.cases.find(({ folded }) => !folded)?.reportCase
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
          selected={chosenState}
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
              isInline
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
              {queue.cases.map(({ reportCase, folded }) =>
                folded ? (
                  <FoldedRow key={reportCase.$id} folded={folded} queue={queue} />
                ) : (
                  <Case
                    key={reportCase.$id}
                    reportCase={reportCase}
                    isFirst={reportCase === firstCase}
                    queue={queue}
                    onBlock={() => askToBlock(reportCase)}
                  />
                ),
              )}
            </ul>
          )}
          <CursorPages
            nextCursor={next}
            firstLabel={texts.comments.pages.first}
            nextLabel={texts.adminRows.next}
          />
          <p className="quiet">{words.privacyNote}</p>
          {dialog}
        </>
      )}
    </AdminPage>
  )
}

/** A case that was decided just now. */
type FoldedCase = { reportCase: ReportCase; text: string; hasUndo: boolean }
type Queue = ReturnType<typeof useQueue>

function useQueue(page: AdminData<ReportCases>, isDone: boolean) {
  const api = useApi()
  const toasts = useToasts()
  const announce = useAnnounce()
  const heading = useRef<HTMLHeadingElement>(null)
  const { list, focusAfter } = useRowFocus(heading)
  const [foldedCases, setFoldedCases] = useState<FoldedCase[]>([])
  /** The pending decision of each case. Decisions are made one after another. */
  const pending = useRef(new Map<string, Promise<string | undefined>>())
  const focusLater = useFocusLater(list)
  const unfold = (id: string) =>
    setFoldedCases((cases) => cases.filter(({ reportCase }) => reportCase.$id !== id))

  function fold(reportCase: ReportCase, text: string, hasUndo: boolean) {
    unfold(reportCase.$id)
    setFoldedCases((cases) => [...cases, { reportCase, text, hasUndo }])
    announce(text)
  }
  /** @returns why the decision failed */
  async function decide(reportCase: ReportCase, decision: DecideCase): Promise<string | undefined> {
    const decided = await decideCase(api, reportCase.$id, decision)
    const { action, block } = decision
    if (decided.ok) {
      fold(reportCase, words.outcomes[block ? 'block' : (action as 'hide')], action !== 'reopen')
      forgetFeed()
    } else {
      const isLate = decided.failure.type === 'report_case_decided'
      const current = isLate ? await readCase(api, reportCase.$id) : undefined
      if (!current?.ok || !current.value.decision) return failureText(decided.failure)
      const { action: earlierAction, byName, isByAuthor } = current.value.decision
      fold(
        reportCase,
        words.alreadyDecided(earlierAction, byName || words[isByAuthor ? 'byAuthor' : 'byProgram']),
        false,
      )
    }
    return undefined
  }
  /** @returns why it failed; a toast also says so, unless a dialog is open */
  async function decideAndReload(
    reportCase: ReportCase,
    decision: DecideCase,
  ): Promise<string | undefined> {
    let reason: string | undefined
    await focusAfter(reportCase.$id, async () => {
      reason = await decide(reportCase, decision)
      await page.reload()
      return reason === undefined
    })
    if (reason && !decision.block) toasts.show({ kind: 'error', text: reason })
    return reason
  }
  return {
    heading,
    list,
    cases: withFolded(page.value?.list ?? [], foldedCases, isDone),
    unfold,
    act(reportCase: ReportCase, decision: DecideCase): Promise<string | undefined> {
      const pendingDecision = pending.current.get(reportCase.$id)
      if (pendingDecision && !decision.block) return pendingDecision
      const result = Promise.all(pending.current.values()).then(() =>
        decideAndReload(reportCase, decision),
      )
      pending.current.set(reportCase.$id, result)
      return result.finally(() => pending.current.delete(reportCase.$id))
    },
    async undo({ reportCase }: FoldedCase): Promise<void> {
      const undone = await decideCase(api, reportCase.$id, { action: 'reopen' })
      forgetFeed()
      focusLater(reportCase.$id)
      await page.reload()
      unfold(reportCase.$id)
      if (!undone.ok) toasts.show({ kind: 'error', text: failureText(undone.failure) })
    },
  }
}

/** @returns a function that takes the id of a row, and focuses that row once it is rendered */
function useFocusLater(list: RefObject<HTMLElement | null>): (rowId: string) => void {
  const rowId = useRef('')
  useEffect(() => {
    const row =
      rowId.current && list.current?.querySelector<HTMLElement>(`[data-row="${rowId.current}"]`)
    if (!row) return
    rowId.current = ''
    row.focus()
  })
  return (id) => {
    rowId.current = id
  }
}

/** The listed cases and the folded ones, which keep their position. */
function withFolded(listed: ReportCase[], foldedCases: FoldedCase[], isDone: boolean) {
  const foldedHere = foldedCases.filter(
    ({ reportCase }) => (reportCase.state === 'done') === isDone,
  )
  const ids = new Set(foldedHere.map(({ reportCase }) => reportCase.$id))
  const shown = [
    ...listed
      .filter(({ $id }) => !ids.has($id))
      .map((reportCase) => ({ reportCase, folded: undefined })),
    ...foldedHere.map((folded) => ({ reportCase: folded.reportCase, folded })),
  ]
  const positionOf = ({ since, decision }: ReportCase) =>
    isDone ? -Date.parse(decision?.at ?? since) : Date.parse(since)
  return shown.sort((a, b) => positionOf(a.reportCase) - positionOf(b.reportCase))
}

type FoldedRowProps = { folded: FoldedCase; queue: Queue }

function FoldedRow({ folded, queue }: FoldedRowProps) {
  const timerHandlers = useDismissTimer(() => queue.unfold(folded.reportCase.$id), FOLDED_MS)
  return (
    <li className="row cases__folded" {...timerHandlers}>
      {folded.text}
      {folded.hasUndo && (
        <Button kind="ghost" onClick={() => void queue.undo(folded)}>
          {texts.adminRows.undo}
        </Button>
      )}
    </li>
  )
}

type CaseProps = { reportCase: ReportCase; isFirst: boolean; queue: Queue; onBlock: () => void }

function Case({ reportCase, isFirst, queue, onBlock }: CaseProps) {
  const { $id, author, text, reports, reporters, since, decision } = reportCase
  return (
    <li className="case" data-row={$id} tabIndex={-1}>
      <p className="hint row facts">
        <CaseChip reportCase={reportCase} />
        <span>
          <CaseSubject reportCase={reportCase} />
        </span>
        {decision ? (
          <Done done={{ ...decision, reason: '' }} />
        ) : (
          <LocalDate time={since} hasTime />
        )}
      </p>
      <div className="case__what">
        <CommentAvatar name={author.name || UNKNOWN_USER_NAME} avatarId={author.avatar} />
        <b>
          <bdi>{author.name || words.deletedPerson}</bdi>
        </b>
        <blockquote dir="auto">{text}</blockquote>
      </div>
      {reports.length > 0 && (
        <div className="case__why">
          {reports.map(({ userId, userName, reason, words: details, time }) => (
            <p key={`${userId} ${time}`}>
              <b>
                <bdi>{userName || words.deletedPerson}</bdi>:
              </b>{' '}
              {texts.reports.reasons[reason]} {details && <bdi>{words.quote(details)}</bdi>}
            </p>
          ))}
          {reporters > reports.length && <p>{words.moreReports(reporters - reports.length)}</p>}
        </div>
      )}
      <div className="row">
        <Actions reportCase={reportCase} isFirst={isFirst} queue={queue} onBlock={onBlock} />
      </div>
    </li>
  )
}

function CaseChip({ reportCase: { kind, reporters, decision } }: Pick<CaseProps, 'reportCase'>) {
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

function CaseSubject({
  reportCase: { postId, postTitle, commentId },
}: Pick<CaseProps, 'reportCase'>) {
  if (!postTitle) return <>{words.draft}</>
  const commentTarget = commentId
    ? { search: `?comment=${commentId}`, hash: `#${commentElementId(commentId)}` }
    : {}
  const link = (
    <Link className="link" to={{ pathname: `/post/${postId}`, ...commentTarget }}>
      <bdi>{postTitle}</bdi>
    </Link>
  )
  return commentId ? words.under(link) : words.post(link)
}

function Actions({ reportCase, isFirst, queue, onBlock }: CaseProps) {
  const { kind, state, author, postId } = reportCase
  const { userData } = useViewer()
  const act = (action: DecideCase['action']) => () => void queue.act(reportCase, { action })
  if (state === 'done') return <Button onClick={act('reopen')}>{words.reopen}</Button>
  const mainKind = isFirst ? 'primary' : 'secondary'
  const isApproval = kind === 'approval'
  return (
    <>
      {isApproval && (
        <Button kind={mainKind} onClick={act('approve')}>
          {words.approve}
        </Button>
      )}
      <Button kind={isApproval ? 'ghost' : mainKind} data-shortcut="hide" onClick={act('hide')}>
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
          {words.readPost}
        </ButtonLink>
      )}
    </>
  )
}
