// Two versions of one post side by side, one of which the writer chooses: their own, and the one
// that was saved in the meantime. The own one is cleaned by the editor, not yet by the server; only
// its writer sees it here.
import { useId } from 'react'
import { tagsOf } from '#contract/plain-text.ts'
import { LocalTime } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { statusText } from '../posts/like-stat.tsx'
import { useBodyHtml, useBodyMetadata } from '../reading/body-metadata.ts'
import { PostBody } from '../reading/post-article.tsx'
import { Button } from '../ui/button.tsx'
import { ScrollRegion } from '../ui/scroll-region.tsx'
import { useModal } from '../ui/use-modal.ts'
import type { Conflict } from './post-form-state.ts'

export type ConflictDialogProps = {
  conflict: Conflict
  onKeepOwn: () => void
  onTakeSaved: () => void
  onLater: () => void
}

/** Open for as long as it is rendered. Esc closes it without a decision. */
export function ConflictDialog({ conflict, onKeepOwn, onTakeSaved, onLater }: ConflictDialogProps) {
  const { own, saved } = conflict
  const id = useId()
  const dialog = useModal({ onClose: onLater })
  return (
    <dialog
      className="float dialog conflict"
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <h2 id={`${id}-title`}>{texts.conflict.title}</h2>
      <p id={`${id}-text`}>
        {texts.conflict.when(<LocalTime time={saved.$updatedAt} />)} {texts.conflict.safe}
      </p>
      <div className="conflict__columns">
        <Version name={texts.versions.own} {...own} tags={own.tags ?? []} />
        <Version name={texts.versions.saved} {...saved} tags={tagsOf(saved)} />
      </div>
      <div className="row">
        <Button onClick={onLater}>{texts.actions.keepWriting}</Button>
        <Button onClick={onTakeSaved}>{texts.conflict.takeSaved}</Button>
        <Button kind="primary" onClick={onKeepOwn}>
          {texts.conflict.saveOwn}
        </Button>
      </div>
    </dialog>
  )
}

function Version({
  name,
  title,
  status,
  content,
  tags,
}: {
  name: string
  tags: readonly string[]
  title: string
  status: string
  content: string
}) {
  const id = useId()
  const { direction } = useBodyMetadata(content)
  const shown = useBodyHtml(content, [])
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{name}</h3>
      <p className="conflict__title" dir="auto">
        <b>{title}</b>{' '}
        <span className={status === 'active' ? 'chip chip--on' : 'chip'}>{statusText(status)}</span>
      </p>
      {tags.length > 0 && (
        <p className="quiet" dir="auto">
          {tags.map(texts.tagsField.shown).join(' ')}
        </p>
      )}
      <ScrollRegion className="conflict__text" label={texts.conflict.textOf(name)}>
        <PostBody html={shown} direction={direction} />
      </ScrollRegion>
    </section>
  )
}
