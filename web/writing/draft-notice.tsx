// Above the form: a draft that is on this device, to be restored or discarded.

import type { PostDocument } from '#contract/posts.ts'
import type { Draft } from '../drafts/draft.ts'
import { texts } from '../locales/texts.ts'
import { LocalTime } from '../posts/local-date.tsx'
import { plainText } from '../posts/plain-text.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'

const WORDS_SHOWN = 12
/** The field of the title in the form below. */
const TITLE_ID = 'title'

type DraftNoticeProps = {
  draft: Draft
  /** The post being edited, if any. */
  post: PostDocument | undefined
  onRestore: () => void
  onDiscard: () => void
}

export function DraftNotice({ draft, post, onRestore, onDiscard }: DraftNoticeProps) {
  const title = draft.title.trim()
  const beginning = beginningOf(draft.content)

  /** The buttons disappear with the notice: the focus moves to where writing begins. */
  function leaveFor(work: () => void) {
    document.getElementById(TITLE_ID)?.focus({ preventScroll: true })
    work()
  }
  return (
    <Alert kind="warn">
      <p>{texts.drafts.found(<LocalTime time={draft.changedAt} />)}</p>
      <p className="draft-notice__text" dir="auto">
        {title && <b>{title}</b>}
        {title && beginning && ': '}
        {beginning}
      </p>
      {post && draft.basedOn !== undefined && draft.basedOn < post.$updatedAt && (
        <p>{texts.drafts.older}</p>
      )}
      <div className="row row--tight">
        <Button onClick={() => leaveFor(onRestore)}>{texts.drafts.restore}</Button>
        <Button kind="ghost" onClick={() => leaveFor(onDiscard)}>
          {texts.drafts.discard}
        </Button>
      </div>
    </Alert>
  )
}

function beginningOf(html: string): string {
  const words = plainText(html).split(' ')
  return words.slice(0, WORDS_SHOWN).join(' ') + (words.length > WORDS_SHOWN ? ' …' : '')
}
