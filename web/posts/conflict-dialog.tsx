// Two versions of one post side by side: the writer's own, and the one that somebody saved meanwhile. One of them is chosen.
// The own one was cleaned by the editor, not yet by the server; only its writer sees it here.

import { type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'
import type { PostStatus } from '#contract/posts.ts'
import { Button } from '../ui/button.tsx'
import { LocalTime } from './local-date.tsx'
import { PostBody } from './post-body.tsx'
import type { Conflict } from './use-post-form.ts'

type ConflictDialogProps = { conflict: Conflict; onKeepOwn: () => void; onTakeSaved: () => void; onLater: () => void }

/** Open for as long as it is rendered. Esc decides nothing and changes nothing. */
export function ConflictDialog({ conflict, onKeepOwn, onTakeSaved, onLater }: ConflictDialogProps) {
  const { own, saved } = conflict
  const id = useId()
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    return () => dialog?.close() // gives the focus back
  }, [])

  function handleCancel(event: SyntheticEvent) {
    event.preventDefault()
    onLater()
  }
  return (
    <dialog
      className="confirm conflict"
      ref={box}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={handleCancel}
      onClose={() => {
        if (box.current && !box.current.open) onLater()
      }}
    >
      <h2 id={`${id}-title`}>This post changed while you were writing</h2>
      <p id={`${id}-text`}>
        It was saved <LocalTime time={saved.$updatedAt} /> in another window or on another device. Choose the version to go on with. Nothing is thrown
        away: if you take the saved one, your text stays on this device.
      </p>
      <div className="conflict__both">
        <Version name="Your version" {...own} />
        <Version name="Saved version" {...saved} />
      </div>
      <div className="row">
        <Button onClick={onLater}>Keep writing</Button>
        <Button onClick={onTakeSaved}>Take the saved version</Button>
        <Button kind="primary" onClick={onKeepOwn}>
          Save your version
        </Button>
      </div>
    </dialog>
  )
}

function Version({ name, title, status, content }: { name: string; title: string; status: PostStatus; content: string }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{name}</h3>
      <p className="conflict__title" dir="auto">
        <b>{title}</b> <span className={status === 'active' ? 'chip chip--on' : 'chip'}>{status}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must be within reach of the keyboard */}
      <section className="conflict__text" aria-label={`${name}: text`} tabIndex={0}>
        <PostBody html={content} language={undefined} />
      </section>
    </section>
  )
}
