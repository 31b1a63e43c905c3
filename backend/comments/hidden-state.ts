// The state of a comment after decisions about all comments by its writer. Decisions that are not
// yet applied to its row are read with the comment, as `hidings` (database/comment-hidings.ts). No
// SQL.
import type { Selectable } from 'kysely'
import type { CommentHidingTable, CommentTable } from '../database/schema.ts'

export type Hiding = Selectable<CommentHidingTable>
type Decision = Pick<Hiding, 'action' | 'hiddenBy' | 'decidedAt'>
type State = Pick<
  Selectable<CommentTable>,
  'status' | 'hiddenBy' | 'hiddenAt' | 'updatedAt' | 'isCounted'
>
type NewState = Omit<State, 'updatedAt' | 'isCounted'>

/** @returns undefined if the decision does not change the comment */
export function stateAfter(decision: Decision, comment: State): NewState | undefined {
  const { action, hiddenBy, decidedAt } = decision
  const { status, hiddenAt, updatedAt } = comment
  if (action === 'hide') {
    // A comment that was shown after the decision stays shown.
    const isAffected = (status === 'shown' || status === 'waiting') && updatedAt <= decidedAt
    if (!isAffected) return undefined
    return { status: status === 'shown' ? 'hidden' : 'rejected', hiddenBy, hiddenAt: decidedAt }
  }
  const isAffected = (status === 'hidden' || status === 'rejected') && hiddenAt === decidedAt
  const isAllowed = hiddenBy === 'anyone' || hiddenBy === comment.hiddenBy
  if (action !== 'show' || !isAffected || !isAllowed) return undefined
  return { status: status === 'hidden' ? 'shown' : 'waiting', hiddenBy: '', hiddenAt: '' }
}

/** The comment after all decisions that are not yet applied to its row. */
export function applyHidings<Comment extends State>(comment: Comment, hidings: string): Comment {
  let decided = comment
  for (const hiding of JSON.parse(hidings) as string[]) {
    const [action = '', hiddenBy = '', decidedAt = ''] = hiding.split(' ')
    const state = stateAfter({ action, hiddenBy, decidedAt }, decided)
    // It is not counted until its row is updated.
    if (state) decided = { ...decided, ...state, isCounted: 0 }
  }
  return decided
}
