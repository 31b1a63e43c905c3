// Two versions of one post side by side, one of which the writer chooses: the text of the form, and
// the version that was saved meanwhile. The editor has sanitised the text of the form, the server
// has not; only its writer sees it here.
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
import type { Conflict } from './post-form-reducer.ts'
import type { PostValues } from './post-values.ts'

export type ConflictDialogProps = {
  conflict: Conflict
  onKeepLocal: () => void
  onTakeStored: () => void
  onLater: () => void
}

/** The dialog is open as long as it is rendered. Esc closes it without a decision. */
export function ConflictDialog({
  conflict,
  onKeepLocal,
  onTakeStored,
  onLater,
}: ConflictDialogProps) {
  const { local, stored } = conflict
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
        {texts.conflict.savedElsewhere(<LocalTime time={stored.$updatedAt} />)}{' '}
        {texts.conflict.nothingLost}
      </p>
      <div className="conflict__columns">
        <Version name={texts.versions.local} {...local} tags={local.tags ?? []} />
        <Version name={texts.versions.stored} {...stored} tags={tagsOf(stored)} />
      </div>
      <div className="row">
        <Button onClick={onLater}>{texts.actions.keepWriting}</Button>
        <Button onClick={onTakeStored}>{texts.conflict.takeStored}</Button>
        <Button kind="primary" onClick={onKeepLocal}>
          {texts.conflict.keepLocal}
        </Button>
      </div>
    </dialog>
  )
}

type VersionProps = Pick<PostValues, 'title' | 'status' | 'content'> & {
  name: string
  tags: readonly string[]
}

function Version({ name, title, status, content, tags }: VersionProps) {
  const id = useId()
  const { direction } = useBodyMetadata(content)
  const bodyHtml = useBodyHtml(content, [])
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
        <PostBody html={bodyHtml} direction={direction} />
      </ScrollRegion>
    </section>
  )
}
