// What the person chooses in the messages of the form: another draft, one of two versions, to sign
// in again.
import { tagsOutsideText } from '#contract/plain-text.ts'
import type { PostDocument } from '#contract/posts.ts'
import { getAccount } from '../accounts/accounts-api.ts'
import type { ReturnState } from '../accounts/return-path.ts'
import type { Viewer } from '../accounts/viewer.tsx'
import type { Draft } from '../drafts/draft.ts'
import { texts } from '../locales/texts.ts'
import type { PostData } from '../posts/posts-api.ts'
import { changeFields, noteChange, type OpenForm, readAll, replaceText } from './post-form-state.ts'
import { slugWhileTyping } from './post-values.ts'
import { continueWith } from './save-post.ts'
import { submit } from './submit-post.ts'
import { restoreTextImages } from './text-images.ts'

/** Puts another draft into the form. What was in the form becomes one of the other drafts. */
export function restore(form: OpenForm, other: Draft): void {
  const { opened, live, api, userId, editor, saver } = form
  const image = form.draft.findImageOf(other)
  form.draft.restore(other)
  continueWith(saver, { sent: other.sent, text: textOf(form, other) })
  live.basedOn = other.basedOn ?? opened?.$updatedAt
  const known = opened?.$id ?? other.sent?.slug
  const slug = known ?? (other.slug || slugWhileTyping(other.title, Date.now()))
  replaceText(form, { ...other, slug })
  form.update(({ fields }) => ({ fields: { ...fields, image: undefined, isImageRemoved: false } }))
  noteChange(form)
  void image.then((file) => {
    if (file && !form.state.fields.image) changeFields(form, { image: file })
  })
  void restoreTextImages(api, { userId, html: other.content }).then((hasRestored) => {
    if (hasRestored) editor.current?.reloadImages()
  })
}

/** Deletes another draft; a reload may have stored its text, which is not wanted then either. */
export function discard(form: OpenForm, other: Draft): void {
  form.saver.unansweredUpdate = textOf(form, other)
  form.draft.discardOther(other)
}

function textOf({ state }: OpenForm, other: Draft): PostData {
  return { ...other, featuredImage: state.post?.featuredImage ?? '' }
}

/** Shows the version that a draft did not save itself over beside the own one. */
export function compare(form: OpenForm): void {
  const { newer } = form.state
  if (newer) form.update(() => ({ conflict: { own: readAll(form), saved: newer, isQuiet: true } }))
}

/**
 * Saves the own text over the version that came in between. The featured image is the newer one,
 * unless another was chosen.
 */
export function keepOwn(form: OpenForm): void {
  const { conflict } = form.state
  if (!conflict) return
  continueFrom(form, conflict.saved)
  if (conflict.isQuiet) {
    noteChange(form)
    void form.autosave.saveNow()
  } else submit(form)
}

/**
 * Continues with the version that came in between; the own text becomes one of the other drafts.
 */
export function takeSaved(form: OpenForm): void {
  const { conflict } = form.state
  if (!conflict) return
  noteChange(form)
  form.draft.stash()
  continueFrom(form, conflict.saved)
  showStored(form, conflict.saved)
}

/** Puts the post as it is stored into the form, in place of a text that is not wanted. */
export function showStored(form: OpenForm, stored: PostDocument): void {
  replaceText(form, { ...stored, slug: stored.$id, tags: tagsOutsideText(stored) })
  form.live.isUnsaved = false
  form.live.savedParts = undefined
  form.autosave.settle()
  form.update(() => ({ saved: undefined, keptAtMs: undefined }))
}

export function continueFrom({ live, update }: OpenForm, post: PostDocument): void {
  live.basedOn = post.$updatedAt
  update(() => ({ post, conflict: undefined, newer: undefined }))
}

/**
 * Asks who is signed in. Without a session the page goes to /login and back, and the draft waits on
 * this device. With another user's session the draft waits for its writer, and the form is empty.
 */
export async function signInAgain(form: OpenForm, viewer: Pick<Viewer, 'refresh'>): Promise<void> {
  const { api, userId, toasts, live, editor, opened, navigate } = form
  form.draft.write()
  const account = await getAccount(api)
  if (account.ok && account.value.$id === userId) {
    form.update(() => ({ failure: undefined }))
    toasts.show({ kind: 'ok', text: texts.signedInAgain.same })
    noteChange(form)
    editor.current?.focus()
    await viewer.refresh() // else it says on that the session has ended
    return
  }
  if (!account.ok && account.failure.code !== 401)
    return toasts.show({ kind: 'error', text: texts.failures.noAnswer })
  live.isUnsaved = false
  if (account.ok) toasts.show({ kind: 'ok', text: texts.signedInAgain.other(account.value.name) })
  // A draft that was stored here meanwhile is edited at an address of its own.
  const { post } = form.state
  const from = post ? `/edit-post/${post.$id}` : '/add-post'
  if (account.ok && post && !opened) await navigate(from, { replace: true })
  if (await viewer.refresh()) return
  await navigate('/login', { state: { from, hasSessionEnded: true } satisfies ReturnState })
}
